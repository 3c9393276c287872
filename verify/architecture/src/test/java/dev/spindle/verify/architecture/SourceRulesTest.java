// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SourceRulesTest {
    private static final List<Source> ALL = Repository.here().sources();
    private static final String TEST = "core/src/test/java/dev/spindle/BadTest.java";
    private static final String MAIN = "core/src/main/java/dev/spindle/Bad.java";

    @Test
    void repository_sources_areFound() {
        assertThat(ALL)
                .extracting(Source::path)
                .contains("core/src/main/java/module-info.java")
                .noneMatch(path -> path.contains("/target/"));
    }

    @Test
    void everySource_length_isWithinTheLimit() {
        assertThat(SourceRules.tooLong(ALL)).isEmpty();
    }

    @Test
    void tooLong_oneLineMore_isFound() {
        Source longest = new Source(MAIN, Collections.nCopies(SourceRules.MAX_LINES, ""));
        Source longer = new Source(MAIN, Collections.nCopies(SourceRules.MAX_LINES + 1, ""));

        assertThat(SourceRules.tooLong(List.of(longest))).isEmpty();
        assertThat(SourceRules.tooLong(List.of(longer)))
                .singleElement()
                .asString()
                .contains(MAIN, "601");
    }

    @Test
    void everyLine_width_isWithinTheLimit() {
        assertThat(SourceRules.tooWide(ALL)).isEmpty();
    }

    @Test
    void tooWide_oneColumnMore_isFound() {
        String widest = "é".repeat(SourceRules.MAX_COLUMNS);

        assertThat(SourceRules.tooWide(List.of(new Source(MAIN, List.of(widest)))))
                .isEmpty();
        assertThat(SourceRules.tooWide(List.of(new Source(MAIN, List.of("", widest + "x")))))
                .singleElement()
                .asString()
                .startsWith(MAIN + ":2");
    }

    @Test
    void everySource_firstLines_areTheHeader() {
        assertThat(SourceRules.withoutHeader(ALL)).isEmpty();
    }

    @Test
    void withoutHeader_missingOrOther_isFound() {
        assertThat(SourceRules.withoutHeader(
                        List.of(new Source("A.java", List.of()), new Source("B.java", List.of("package b;", "")))))
                .containsExactly("A.java", "B.java");
    }

    @Test
    void everyTest_waits_withoutSleeping() {
        assertThat(SourceRules.sleepsInTests(ALL)).isEmpty();
    }

    @Test
    void sleepsInTests_everySpelling_isFound() {
        List<String> calls = new ArrayList<>();
        for (String clock : List.of("Thread", "TimeUnit.MILLISECONDS", "SECONDS")) {
            calls.add("        " + clock + ".sleep" + "(1);");
        }

        assertThat(SourceRules.sleepsInTests(List.of(new Source(TEST, calls)))).hasSize(3);
        assertThat(SourceRules.sleepsInTests(List.of(new Source(MAIN, calls)))).isEmpty();
    }

    @Test
    void everySource_imports_areSingle() {
        assertThat(SourceRules.wildcardImports(ALL)).isEmpty();
    }

    @Test
    void wildcardImports_plainAndStatic_areFound() {
        List<String> imports =
                List.of("import java.util.*;", "import static java.util.Map.*;", "import java.util.Map;");

        assertThat(SourceRules.wildcardImports(List.of(new Source(MAIN, imports))))
                .hasSize(2);
    }

    @Test
    void everySource_comments_leaveNothingOpen() {
        assertThat(SourceRules.leftovers(ALL)).isEmpty();
    }

    @Test
    void leftovers_noteOrAuthor_isFound() {
        List<String> lines = List.of("// TO" + "DO later", " * @" + "author a person", "// all done");

        assertThat(SourceRules.leftovers(List.of(new Source(MAIN, lines)))).hasSize(2);
    }

    @Test
    void everyConstant_ofCoreMessagingAndAffinity_namesItsMeasurement() {
        List<Source> tuned = ALL.stream()
                .filter(source -> source.path().matches("(core|messaging|affinity)/src/main/.*"))
                .toList();

        assertThat(SourceRules.ofUnknownOrigin(tuned)).isEmpty();
    }

    @Test
    void ofUnknownOrigin_numbersWithoutAWord_areFound() {
        List<String> found = List.of(
                "    private static final int LOOKS = 16;",
                "    /** A period. */",
                "    static final long NANOS = 5_000L;",
                "    private static final double SHARE = 0.5; // a share");
        List<String> right = List.of(
                "    /** The number of looks. Not measured. */",
                "    private static final int LOOKS = 16;",
                "    private static final int SIZE = 64; // 32 was slower, measured by KEY1",
                "    private static final int BIT = 1 << 5;",
                "    static final int NONE = -1;",
                "    static final long serialVersionUID = 1;",
                "    static final int TWICE = 2 * LOOKS;");

        assertThat(SourceRules.ofUnknownOrigin(List.of(new Source(MAIN, found))))
                .hasSize(3);
        assertThat(SourceRules.ofUnknownOrigin(List.of(new Source(MAIN, right), new Source(TEST, found))))
                .isEmpty();
    }

    @Test
    void everyText_subjects_areThingsOfTheField() {
        List<Source> texts = Repository.here().texts();

        assertThat(texts)
                .extracting(Source::path)
                .contains("README.md", "spindle", "pom.xml", "core/src/main/java/module-info.java");
        assertThat(SourceRules.spokenOfAsPeople(texts)).isEmpty();
    }

    @Test
    void spokenOfAsPeople_eachWordUnlessOfPeople_isFound() {
        List<String> found = List.of(
                "// W" + "ho waits",
                "the thread wh" + "o waits",
                "wh" + "oever",
                "wh" + "om",
                "Some" + "body",
                "no" + "body's",
                "any" + "body");
        List<String> right = List.of("users wh" + "o ask", " * a reader", " * wh" + "o asks", "whole", "whose");
        Source text = new Source(
                "README.md", Stream.concat(found.stream(), right.stream()).toList());

        assertThat(SourceRules.spokenOfAsPeople(List.of(text))).hasSize(found.size());
    }

    @Test
    void everyPackage_ofMainCode_hasFewFiles() {
        assertThat(SourceRules.crowded(ALL)).isEmpty();
    }

    @Test
    void crowded_oneFileMore_isFound() {
        List<Source> most = Collections.nCopies(SourceRules.MAX_FILES, new Source(MAIN, List.of()));
        List<Source> more = new ArrayList<>(most);
        more.add(new Source(MAIN, List.of()));
        List<Source> tests = Collections.nCopies(more.size(), new Source(TEST, List.of()));

        assertThat(SourceRules.crowded(most)).isEmpty();
        assertThat(SourceRules.crowded(tests)).isEmpty();
        assertThat(SourceRules.crowded(more)).singleElement().asString().contains("dev/spindle: 31 files");
    }

    @Test
    void everyPackage_ofMainCode_isNullMarked() {
        assertThat(SourceRules.notNullMarked(ALL)).isEmpty();
    }

    @Test
    void notNullMarked_packageInfoWithoutIt_isFound() {
        Source type = new Source(MAIN, List.of("package dev.spindle;"));
        Source silent = new Source("core/src/main/java/dev/spindle/package-info.java", List.of("package dev.spindle;"));
        Source marked = new Source(silent.path(), List.of("@NullMarked", "package dev.spindle;"));

        assertThat(SourceRules.notNullMarked(List.of(type))).hasSize(1);
        assertThat(SourceRules.notNullMarked(List.of(type, silent))).hasSize(1);
        assertThat(SourceRules.notNullMarked(List.of(type, marked))).isEmpty();
    }
}

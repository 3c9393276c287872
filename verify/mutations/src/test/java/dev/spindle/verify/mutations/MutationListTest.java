// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The list fits the sources: a fault that cannot be planted any more fails the build. */
class MutationListTest {
    private static final Path ROOT = Path.of("..", "..");

    @TempDir
    Path folder;

    private static List<Mutation> mutations() throws IOException {
        return MutationList.read(Path.of("mutations.txt"));
    }

    @Test
    void mutations_ofTheList_fitTheSources() throws IOException {
        Laboratory laboratory = new Laboratory(ROOT, folder);
        for (Mutation mutation : mutations()) {
            assertThatCode(() -> laboratory.mutate(mutation))
                    .as(mutation.name())
                    .doesNotThrowAnyException();
        }
    }

    /** A mutant that does not compile finds nothing, and would end a run of the list. */
    @Tag("deep")
    @Tag("once")
    @Test
    void mutations_ofTheList_compile() throws IOException {
        Map<String, Mutation> byName = new LinkedHashMap<>();
        for (Mutation mutation : mutations()) { // one for each of its tests
            byName.put(mutation.name(), mutation);
        }
        Laboratory laboratory = new Laboratory(ROOT, folder);
        List<String> broken = byName.values().parallelStream()
                .flatMap(mutation -> problem(laboratory, mutation).stream())
                .toList();

        assertThat(broken).isEmpty();
    }

    private static Optional<String> problem(Laboratory laboratory, Mutation mutation) {
        try {
            Path unused = laboratory.compile(mutation);
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void catcher_ofTheList_exists(Mutation mutation) {
        Catcher catcher = mutation.catcher();
        boolean jcstress = catcher.kind() == Catcher.Kind.JCSTRESS;
        String[] parts = catcher.fullName().split("#", -1);
        String tests = Mutation.module(catcher.name()) + "/src/test/java";
        Path sources = ROOT.resolve(jcstress ? "verify/jcstress/src/test/java" : tests);
        Path source = sources.resolve(parts[0].replace('.', '/') + ".java");

        assertThat(source).isRegularFile();
        if (parts.length > 1) {
            assertThat(source).content().contains("void " + parts[1] + "(");
        }
    }

    /** A claim that no fault breaks proves nothing. */
    @Test
    void claims_ofJcstressAndLincheck_haveAFaultThatTheyFind() throws IOException {
        List<String> named = mutations().stream()
                .map(mutation -> mutation.catcher().fullName().split("#", -1)[0])
                .toList();

        assertThat(classes("verify/jcstress/src/test/java", "@JCStressTest"))
                .filteredOn(name -> !name.endsWith(".LostIncrement")) // has a fault of its own
                .hasSizeGreaterThan(40)
                .isSubsetOf(named);
        assertThat(classes("core/src/test/java", "@Tag(\"lincheck\")"))
                .filteredOn(name -> !name.endsWith(".CanaryLincheckTest")) // has a fault of its own
                .hasSizeGreaterThan(5)
                .isSubsetOf(named);
        assertThat(classes("messaging/src/test/java", "@Tag(\"lincheck\")"))
                .hasSizeGreaterThan(2)
                .isSubsetOf(named);
    }

    /** Returns the names of the classes below {@code sources} whose text contains {@code mark}. */
    private static List<String> classes(String sources, String mark) throws IOException {
        Path folder = ROOT.resolve(sources);
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                if (Files.readString(file).contains(mark)) {
                    String name = folder.relativize(file).toString().replace(File.separatorChar, '.');
                    names.add(name.substring(0, name.length() - ".java".length()));
                }
            }
        }
        return names;
    }

    @Test
    void read_unknownWordMissingLineOrSameName_isRefused() {
        assertThatThrownBy(() -> read("mutation one", "whence file")).hasMessageContaining("unknown word 'whence'");
        assertThatThrownBy(() -> read("mutation one", "why because")).hasMessageContaining("line 1");
        List<String> one = List.of("mutation one", "why because", "file F", "at F-1", "test T");
        assertThatThrownBy(() -> read(
                        one.get(0),
                        one.get(1),
                        one.get(2),
                        one.get(3),
                        one.get(4),
                        "",
                        one.get(0),
                        one.get(1),
                        one.get(2),
                        one.get(3),
                        one.get(4)))
                .hasMessageContaining("two mutations named one");
    }

    @Test
    void read_severalCatchers_givesAMutationForEach() throws IOException {
        List<Mutation> read = read("mutation one", "why because", "file F", "at F-1", "with y", "test T", "jcstress S");

        assertThat(read).extracting(Mutation::catcher).extracting(Catcher::name).containsExactly("T", "S");
        assertThat(read).extracting(Mutation::name).containsOnly("one");
    }

    @Test
    void apply_marks_areFoundByNameAndNumber() throws IOException {
        Mutation mutation = read(
                        "mutation one", "why because", "file F", "at F-1", "number 2", "lines 2", "with z", "test T")
                .get(0);

        assertThat(mutation.applyTo("a // F-1\n  x // F-1\n  y\nb\n")).isEqualTo("a // F-1\nz\nb\n");
        assertThat(mutation.applyTo("a // T6, F-1\n  x // F-1, T6\n  y\nb\n")).isEqualTo("a // T6, F-1\nz\nb\n");
        assertThat(mutation.applyTo("a // F-1\n  // F-1\n  x\n  y\nb\n")).isEqualTo("a // F-1\n  // F-1\nz\nb\n");
        assertThatThrownBy(() -> mutation.applyTo("x // F-1\ny // F-11\n")).hasMessageContaining("'// F-1'");
        assertThatThrownBy(() -> mutation.applyTo("x // F-1\ny // F-1\n")).hasMessageContaining("2 lines");
    }

    private List<Mutation> read(String... lines) throws IOException {
        return MutationList.read(Files.write(folder.resolve("list.txt"), List.of(lines)));
    }
}

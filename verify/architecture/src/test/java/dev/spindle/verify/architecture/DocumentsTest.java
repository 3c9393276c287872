// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The documents agree with the sources: their Java code is that of tests, word for word, and their links and commands
 * have targets.
 */
class DocumentsTest {
    private static final Pattern TEST_COMMAND = Pattern.compile("(?:\\.ci/test '?|-Dtest=)(\\w+)");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(spindle-\\w+)</artifactId>");

    private static final Pattern EXPORTED = Pattern.compile("(?m)^    exports ([\\w.]+);");

    private final Repository repository = Repository.here();

    @Test
    void javaBlocks_ofAllDocuments_areCompiledAndRunByTests() {
        Map<String, String> compiled = new TreeMap<>();
        Map<String, String> shown = new TreeMap<>();
        for (Source source : repository.sources()) {
            if (source.isTest() && !source.path().startsWith("verify/architecture/")) {
                addAll(compiled, Snippets.ofSource(source.lines()), source);
            }
        }
        for (Source document : repository.documents()) {
            addAll(shown, Snippets.ofMarkdown(document.lines()), document);
        }

        assertThat(shown).containsKeys("keys", "pipeline", "simulation"); // it reads the documents
        assertThat(shown.keySet()).isEqualTo(compiled.keySet());
        shown.forEach((name, code) ->
                assertThat(code).as("snippet '%s'", name).isEqualTo(requireNonNull(compiled.get(name))));
    }

    @Test
    void testCommands_ofAllDocuments_nameTestsThatExist() {
        Set<String> tests = new TreeSet<>();
        repository.sources().stream()
                .filter(Source::isTest)
                .forEach(source -> tests.add(source.fileName().replace(".java", "")));
        Set<String> named = new TreeSet<>();
        for (Source document : repository.documents()) {
            Matcher command = TEST_COMMAND.matcher(document.text());
            while (command.find()) {
                named.add(requireNonNull(command.group(1)));
            }
        }

        assertThat(named).isNotEmpty().isSubsetOf(tests);
    }

    @Test
    void testCommand_ofTheReadme_isThatOfCi() throws IOException {
        String command = "mvn verify";

        assertThat(Files.readAllLines(repository.root().resolve("README.md")))
                .anyMatch(line -> line.startsWith(command + " "));
        assertThat(Files.readAllLines(repository.root().resolve(".ci/run")))
                .anyMatch(line -> line.contains(" " + command + " -Pdeep "));
    }

    @Test
    void links_ofAllDocuments_leadToFilesAndHeadings() {
        List<Source> documents = repository.documents();

        assertThat(Links.of(documents)).hasSizeGreaterThan(50); // it finds them
        assertThat(Links.broken(documents, repository.root())).isEmpty();
    }

    @Test
    void dependencyBlocks_ofAllArtifactsOfTheBom_areInTheDocuments() throws IOException {
        Set<String> published = artifacts(Files.readAllLines(repository.root().resolve("bom/pom.xml")));
        published.remove("spindle-parent");
        Set<String> shown = new TreeSet<>();
        repository.documents().forEach(document -> shown.addAll(artifacts(document.lines())));

        assertThat(published).contains("spindle-bom", "spindle-core");
        assertThat(shown).isEqualTo(published);
    }

    /** Otherwise readers have to guess the imports. */
    @Test
    void packages_thatModulesExport_areInTheReadmesTable() throws IOException {
        List<String> readme = Files.readAllLines(repository.root().resolve("README.md"));
        for (String module : List.of("core", "messaging", "flow", "gateway", "observe", "affinity", "testkit")) {
            Path info = repository.root().resolve(module + "/src/main/java/module-info.java");
            String row = readme.stream()
                    .filter(line -> line.startsWith("| [`spindle-" + module + "`]"))
                    .findFirst()
                    .orElseThrow();
            Matcher exported = EXPORTED.matcher(Files.readString(info));
            while (exported.find()) {
                assertThat(row).contains("`" + exported.group(1) + "`");
            }
        }
    }

    private static Set<String> artifacts(List<String> lines) {
        return lines.stream()
                .map(ARTIFACT::matcher)
                .filter(Matcher::find)
                .map(artifact -> requireNonNull(artifact.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void addAll(Map<String, String> all, Map<String, String> found, Source source) {
        found.forEach((name, code) -> assertThat(all.put(name, code))
                .as("another snippet with the name '%s' of %s", name, source.path())
                .isNull());
    }
}

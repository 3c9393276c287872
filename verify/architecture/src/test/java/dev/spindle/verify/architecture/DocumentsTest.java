// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The Java code of the documents is that of tests, to the letter: what stands between {@code // snippet:} and {@code // end}. */
class DocumentsTest {
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

        assertThat(shown).containsKeys("keys", "pipeline", "simulation"); // it looks where the documents are
        assertThat(shown.keySet()).isEqualTo(compiled.keySet());
        shown.forEach((name, code) ->
                assertThat(code).as("snippet '%s'", name).isEqualTo(requireNonNull(compiled.get(name))));
    }

    private static void addAll(Map<String, String> all, Map<String, String> found, Source source) {
        found.forEach((name, code) -> assertThat(all.put(name, code))
                .as("another snippet with the name '%s' of %s", name, source.path())
                .isNull());
    }
}

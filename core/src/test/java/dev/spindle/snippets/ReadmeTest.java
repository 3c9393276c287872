// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadmeTest {
    private static final String SOURCE = "core/src/test/java/dev/spindle/snippets/ReadmeSnippetsTest.java";

    @Test
    void javaBlocks_ofTheReadme_areTheCompiledSnippets() throws IOException {
        Path root = root();
        Map<String, String> compiled = Snippets.ofSource(Files.readAllLines(root.resolve(SOURCE)));
        Map<String, String> shown = Snippets.ofMarkdown(Files.readAllLines(root.resolve("README.md")));

        assertThat(shown)
                .as("Java blocks of README.md beside the regions of " + SOURCE)
                .isNotEmpty()
                .containsOnlyKeys(compiled.keySet());
        compiled.forEach((name, code) -> assertThat(shown.get(name))
                .as("snippet '%s' of README.md beside the same region of %s", name, SOURCE)
                .isEqualTo(code));
    }

    /** The nearest directory above the module, where Maven and editors start tests, that holds the repository. */
    private static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path directory = start; directory != null; directory = directory.getParent()) {
            if (Files.isRegularFile(directory.resolve("README.md")) && Files.isRegularFile(directory.resolve(SOURCE))) {
                return directory;
            }
        }
        throw new AssertionError("no directory above " + start + " holds both README.md and " + SOURCE
                + ": run this test in a checkout of the repository");
    }
}

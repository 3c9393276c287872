// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What docs/messaging.md shows is what the tests compile and run. */
class MessagingDocumentTest {
    private static final String FOLDER = "messaging/src/test/java/dev/spindle/pipeline";

    @ParameterizedTest
    @CsvSource({"coalescer, CoalescerSnippetTest", "pipeline, PipelineSnippetTest"})
    void snippet_inTheDocument_isTheCompiledOne(String snippet, String test) throws IOException {
        Path root = root();
        String compiled = between(
                Files.readString(root.resolve(FOLDER).resolve(test + ".java")),
                "// snippet: " + snippet + "\n",
                "\n            // end");
        String shown = between(
                Files.readString(root.resolve("docs/messaging.md")),
                "<!-- snippet: " + snippet + " -->\n```java\n",
                "\n```");

        assertThat(shown).isEqualTo(compiled.stripIndent());
    }

    private static Path root() {
        for (Path directory = Path.of("").toAbsolutePath(); directory != null; directory = directory.getParent()) {
            if (Files.exists(directory.resolve(FOLDER))) {
                return directory;
            }
        }
        throw new AssertionError("run this test in a checkout of the repository");
    }

    private static String between(String text, String begin, String end) {
        assertThat(text).contains(begin);
        int from = text.indexOf(begin) + begin.length();
        return text.substring(from, text.indexOf(end, from));
    }
}

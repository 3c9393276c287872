// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The Kotlin of the page is that of the test; for Java code verify/architecture checks it. */
class KotlinSnippetTest {
    @Test
    void kotlin_ofThePage_isThatOfTheTest() throws IOException {
        String page = between("../../docs/neighbours.md", "```kotlin\n", "```\n");
        String test = between("src/test/kotlin/DispatcherTest.kt", "// snippet: kotlin\n", "            // end\n");

        assertThat(page.strip())
                .isNotEmpty()
                .isEqualTo(test.stripTrailing().stripIndent().strip());
    }

    private static String between(String file, String begin, String end) throws IOException {
        String text = Files.readString(Path.of(file));
        int from = text.indexOf(begin) + begin.length();
        assertThat(text).contains(begin);
        return text.substring(from, text.indexOf(end, from));
    }
}

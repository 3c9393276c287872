// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The snippet of docs/messaging.md: what stands between the comments is shown there, to the letter. */
class CoalescerSnippetTest {
    private static final String SOURCE = "messaging/src/test/java/dev/spindle/pipeline/CoalescerSnippetTest.java";

    @Test
    void coalescer_pricesThatComeTooFast_showsTheLatest() {
        Screen screen = new Screen();
        try (Spindle spindle = Spindle.create()) {
            // snippet: coalescer
            Coalescer<String, Integer> prices = Coalescer.create(spindle, (stock, price) -> screen.show(stock, price));

            prices.offer("ACME", 100); // from any number of threads
            prices.offer("EMCA", 7);
            prices.offer("ACME", 101); // takes the place of 100, if that has not been shown

            prices.close(); // waits until what was offered has been shown
            // end
        }

        assertThat(screen.shown).containsExactly(Map.entry("ACME", 101), Map.entry("EMCA", 7));
    }

    @Test
    void snippet_inTheDocument_isTheCompiledOne() throws IOException {
        Path root = root();
        String compiled =
                between(Files.readString(root.resolve(SOURCE)), "// snippet: coalescer\n", "\n            // end");
        String shown = between(
                Files.readString(root.resolve("docs/messaging.md")), "<!-- snippet: coalescer -->\n```java\n", "\n```");

        assertThat(shown).isEqualTo(compiled.stripIndent());
    }

    private static Path root() {
        for (Path directory = Path.of("").toAbsolutePath(); directory != null; directory = directory.getParent()) {
            if (Files.exists(directory.resolve(SOURCE))) {
                return directory;
            }
        }
        throw new AssertionError("run this test in a checkout of the repository");
    }

    private static String between(String text, String begin, String end) {
        int from = text.indexOf(begin) + begin.length();
        return text.substring(from, text.indexOf(end, from));
    }

    private static final class Screen {
        private final Map<String, Integer> shown = new LinkedHashMap<>();

        void show(String stock, int price) {
            shown.put(stock, price);
        }
    }
}

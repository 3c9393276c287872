// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The snippet of docs/messaging.md, which contains the lines between the marker comments verbatim. */
class CoalescerSnippetTest {
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

    private static final class Screen {
        private final Map<String, Integer> shown = new LinkedHashMap<>();

        void show(String stock, int price) {
            shown.put(stock, price);
        }
    }
}

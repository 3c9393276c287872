// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.WaitStrategy;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A snippet of docs/affinity.md, which shows the lines between the comments literally. */
class DedicatedSnippetTest {
    @Test
    void spin_workerThatSearches_runsWhatComes() throws Exception {
        // snippet: spinning
        Spindle spindle = Spindle.builder().waitStrategy(WaitStrategy.SPIN).build();
        // end
        try (spindle) {
            assertThat(spindle.submit(() -> "ran").get(20, TimeUnit.SECONDS)).isEqualTo("ran");
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The snippet of docs/affinity.md, which shows the lines between the comments literally. */
class PinnedSnippetTest {
    @Test
    void pinned_workersOfASpindle_runItsTasksWhetherTheCoresAreThereOrNot() throws Exception {
        // snippet: pinned
        PinnedThreads pinned =
                PinnedThreads.builder().name("trades").cores(2, 3).build();
        Spindle spindle = Spindle.builder()
                .coreThreads(2)
                .threadFactory(pinned)
                .auxiliaryThreadFactory(pinned.unpinned())
                .build();
        // end
        try (spindle) {
            String name = spindle.submit(() -> Thread.currentThread().getName()).get(20, TimeUnit.SECONDS);
            assertThat(name).isEqualTo("trades-1");
        }
    }
}

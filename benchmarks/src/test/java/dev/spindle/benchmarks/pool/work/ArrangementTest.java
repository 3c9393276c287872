// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.benchmarks.pool.stage.Contender;
import org.junit.jupiter.api.Test;

class ArrangementTest {
    @Test
    void new_contenderThatSharesNothing_isRefused() {
        assertThatThrownBy(() -> new Arrangement(Contender.JBOSS, Runnable::run, 1, 1, 1))
                .hasMessage("jboss does not share its pool");
    }
}

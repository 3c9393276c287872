// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.jcstress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A claim that does not hold fails, and so does one that does not run. */
class JcstressTest {
    @Test
    void lostIncrement_withoutAtomicity_isFound() throws Exception {
        String name = LostIncrement.class.getName();
        Jcstress.Outcome outcome = Jcstress.run(name);

        assertThat(outcome.ran(name)).as(outcome.log()).isTrue();
        assertThat(outcome.failed(name)).as(outcome.log()).isTrue();
        assertThat(outcome.status()).as(outcome.log()).isNotZero();
    }

    @Test
    void unknownName_matchesNothing_isNotTakenForSuccess() throws Exception {
        assertThat(Jcstress.run("dev.spindle.verify.jcstress.NoSuchTest").ran()).isFalse();
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class OutcomeTest {
    @Test
    void ofThrown_wrappersOfFutures_areTakenOff() {
        IOException cause = new IOException("reset");

        assertThat(Outcome.ofThrown(new CompletionException(new ExecutionException(cause))))
                .isEqualTo(new Outcome.Failed<>(cause));
        CompletionException bare = new CompletionException("no cause", null);
        assertThat(Outcome.ofThrown(bare)).isEqualTo(new Outcome.Failed<>(bare));
    }

    @Test
    void ofThrown_exceptionsWithAMeaning_areOutcomesOfTheirOwn() {
        assertThat(Outcome.ofThrown(new CompletionException(new TimeoutException("slow"))))
                .isEqualTo(new Outcome.TimedOut<>("slow"));
        assertThat(Outcome.ofThrown(new TimeoutException())).isEqualTo(new Outcome.TimedOut<>("timed out"));
        assertThat(Outcome.ofThrown(new RejectedExecutionException("full"))).isEqualTo(new Outcome.Rejected<>("full"));
        assertThat(Outcome.ofThrown(new RejectedExecutionException())).isEqualTo(new Outcome.Rejected<>("rejected"));
        assertThat(Outcome.ofThrown(new CancellationException())).isEqualTo(new Outcome.Cancelled<>());
    }

    @Test
    void orThrow_eachKind_throwsAsJoinDoes() {
        assertThat(new Outcome.Value<>(1).orThrow()).isEqualTo(1);
        IOException cause = new IOException("reset");
        assertThatThrownBy(new Outcome.Failed<>(cause)::orThrow)
                .isInstanceOf(CompletionException.class)
                .hasCause(cause);
        assertThatThrownBy(new Outcome.TimedOut<>("slow")::orThrow)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(TimeoutException.class)
                .hasMessageContaining("slow");
        assertThatThrownBy(new Outcome.Rejected<>("full")::orThrow)
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("full");
        assertThatThrownBy(new Outcome.Cancelled<>()::orThrow).isInstanceOf(CancellationException.class);
    }

    @Test
    void mapAndOrElse_withAndWithoutValue_giveIt() {
        Outcome<Integer> rejected = new Outcome.Rejected<>("full");

        assertThat(new Outcome.Value<>(20).map(n -> n + 1)).isEqualTo(new Outcome.Value<>(21));
        assertThat(rejected.map(n -> n + 1)).isEqualTo(rejected);
        assertThat(new Outcome.Value<>(20).orElse(7)).isEqualTo(20);
        assertThat(rejected.orElse(7)).isEqualTo(7);
    }
}

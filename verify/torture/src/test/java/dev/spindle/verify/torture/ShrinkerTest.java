// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShrinkerTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private static Violations broken() {
        Violations violations = new Violations();
        violations.add(Promise.K3, "for a test");
        return violations;
    }

    private static Program shrink(Program program, Shrinker.Trial trial) throws InterruptedException {
        return new Shrinker(trial, LONG, 3, LONG, text -> {})
                .shrink(program, broken())
                .program();
    }

    private static boolean has(List<Step> steps, Op op) {
        return steps.stream().anyMatch(step -> step.op() == op || has(step.inner(), op));
    }

    @Test
    void failureOfOneStep_isCutDownToThatStep() throws InterruptedException {
        Program whole = Generator.of(seedWith(Op.CANCEL_PENDING), 10_000);

        Program smallest = shrink(
                whole,
                program -> program.producers().stream().anyMatch(producer -> has(producer.steps(), Op.CANCEL_PENDING))
                        ? broken()
                        : new Violations());

        assertThat(smallest.producers())
                .containsExactly(new Program.Producer(1, List.of(Step.of(Op.CANCEL_PENDING, 0))));
        assertThat(smallest.stops()).containsExactly(Story.CLOSE);
        assertThat(smallest.pool().keys()).isEqualTo(1);
        assertThat(smallest.pool().strands()).isZero();
        assertThat(smallest.pool().views()).isEmpty();
        assertThat(smallest.pool().max()).isEqualTo(1);
    }

    private static long seedWith(Op op) {
        long seed = 0;
        while (!has(Generator.of(seed, 10_000).producers().get(0).steps(), op)) {
            seed++;
        }
        return seed;
    }

    @Test
    void rareFailure_isTriedSeveralTimes() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();

        Program smallest = shrink(
                Generator.of(7, 10_000), program -> runs.incrementAndGet() % 3 == 0 ? broken() : new Violations());

        assertThat(smallest.steps()).isZero();
    }

    @Test
    void timeThatIsOver_leavesWhatWasFound() throws InterruptedException {
        Program whole = Generator.of(7, 10_000);
        Shrinker.Result result =
                new Shrinker(program -> broken(), Duration.ZERO, 3, LONG, text -> {}).shrink(whole, broken());

        assertThat(result.program()).isEqualTo(whole);
        assertThat(result.tried()).isZero();
        assertThat(result.violations().counts()).containsOnlyKeys(Promise.K3);
    }
}

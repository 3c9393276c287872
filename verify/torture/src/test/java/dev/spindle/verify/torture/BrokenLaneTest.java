// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Lane;
import dev.spindle.verify.torture.BrokenLane.Fault;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs against a spindle whose lanes break a promise now and then, which must be found and shrunk. */
@Timeout(120)
class BrokenLaneTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int TASKS = 4_000;
    private static final int SEEDS = 40;
    private static final Map<Fault, Set<Promise>> EXPECTED = Map.of(
            Fault.SWAPS, Set.of(Promise.K3),
            Fault.LOSES, Set.of(Promise.F3),
            Fault.DOUBLES, Set.of(Promise.F3),
            // at the same time as another turn, or before earlier tasks
            Fault.RUNS_HERE, Set.of(Promise.K2, Promise.K3, Promise.K4, Promise.K5),
            Fault.FORGETS_SUBMISSIONS, Set.of(Promise.L2));

    private static Violations run(Program program, UnaryOperator<Lane> facade) throws InterruptedException {
        return Checker.check(program, Run.of(program, facade, LIMIT));
    }

    @ParameterizedTest
    @EnumSource(names = "IGNORES_PAUSES", mode = EnumSource.Mode.EXCLUDE)
    void everyFault_isFoundUnderItsName(Fault fault) throws InterruptedException {
        Set<Promise> expected = EXPECTED.getOrDefault(fault, Set.of());
        boolean found = false;
        for (long seed = 0; seed < SEEDS && !found; seed++) {
            Violations violations = run(Generator.of(seed, 10 * TASKS), lane -> new BrokenLane(lane, fault));
            found = violations.counts().keySet().stream().anyMatch(expected::contains);
        }
        assertThat(found).as("%s within %d programs", fault, SEEDS).isTrue();
    }

    @Test
    void ignoredPauses_areFoundByTheClock() throws InterruptedException {
        Program program = ProgramText.read("""
                program seed=1
                pool core=2 max=2 keepAlive=1000000 linger=1000000 capacity=0 capacityPerKey=0 onFull=REJECT \
                keys=1 strands=0 own=0 exact=true
                producer rounds=200
                  PAUSE at=0
                    LANE at=0
                    LANE at=0
                    GAP nanos=500000
                producer rounds=20000
                  LANE at=0
                stop where=POOL at=0 how=CLOSE percent=100
                """);

        assertThat(run(program, lane -> lane).isEmpty()).isTrue();
        assertThat(run(program, lane -> new BrokenLane(lane, Fault.IGNORES_PAUSES))
                        .counts())
                .containsOnlyKeys(Promise.K8);
    }

    @Test
    void swappedTasks_areCutDownToAFewSteps() throws InterruptedException {
        UnaryOperator<Lane> facade = lane -> new BrokenLane(lane, Fault.SWAPS);
        Program program = Generator.of(0, TASKS);
        Violations violations = run(program, facade);
        for (long seed = 1; !violations.counts().containsKey(Promise.K3); seed++) {
            program = Generator.of(seed, TASKS);
            violations = run(program, facade);
        }
        Shrinker shrinker =
                new Shrinker(one -> run(one, facade), Duration.ofSeconds(20), 3, Duration.ofSeconds(1), text -> {});

        Shrinker.Result result = shrinker.shrink(program, violations);

        assertThat(result.violations().isEmpty()).isFalse();
        assertThat(result.program().producers()).hasSize(1);
        assertThat(result.program().steps()).isLessThanOrEqualTo(3);
        assertThat(result.program().pool().views()).isEmpty();
    }
}

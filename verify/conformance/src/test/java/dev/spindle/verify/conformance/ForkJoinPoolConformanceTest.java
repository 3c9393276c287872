// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;

/** Control: the JDK's fork-join pool of two workers, in first-in-first-out mode. */
class ForkJoinPoolConformanceTest extends ServiceConformance {
    private static final Subject<ForkJoinPool> SUBJECT = Subject.ofPool(
            "ForkJoinPool",
            2,
            () -> new ForkJoinPool(2, ForkJoinPool.defaultForkJoinWorkerThreadFactory, (thread, failure) -> {}, true),
            traits());

    ForkJoinPoolConformanceTest() {
        super(SUBJECT);
    }

    private static Trait[] traits() {
        Set<Trait> traits = EnumSet.of(
                Trait.SHUTDOWN_NOW_RETURNS_NOTHING,
                Trait.CAUSES_ARE_WRAPPED,
                Trait.INVOKE_ALL_OVERFLOWS,
                Trait.OWN_TASKS_SUBMIT_AFTER_SHUTDOWN,
                Trait.CLOSE_BY_AN_OWN_TASK_HANGS,
                Trait.COLD_SHUTDOWN_LOSES_TASKS,
                Trait.SHUTDOWN_CANCELS_RACING_SUBMITS);
        if (Runtime.version().feature() < 22) {
            traits.add(Trait.CANCEL_NEVER_INTERRUPTS);
            traits.add(Trait.INTERRUPTS_LEAK);
            traits.add(Trait.INVOKE_ALL_IGNORES_INTERRUPTS);
            traits.add(Trait.INVOKE_ANY_OUTWAITS_SHUTDOWN_NOW);
            traits.add(Trait.INVOKE_ANY_MISSES_STARTING_TASKS);
        } else {
            traits.add(Trait.REFUSED_CANCELS_TAKE_EFFECT);
        }
        return traits.toArray(new Trait[0]);
    }
}

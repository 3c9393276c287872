// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/**
 * Settings that fit a build on two processors: small scenarios, few of them, but every switch between two of their
 * steps. With {@code -Dverify.deep=true} there are three times as many.
 */
public final class LincheckSettings {
    private static final int MORE = Boolean.getBoolean("verify.deep") ? 3 : 1;

    private LincheckSettings() {}

    /** Tries the interleavings of each scenario in order; deterministic. */
    public static ModelCheckingOptions modelChecking() {
        return small(new ModelCheckingOptions());
    }

    /** Runs each scenario on real threads. */
    public static StressOptions stress() {
        return small(new StressOptions());
    }

    /**
     * Leaves the verdict to what the operations and the validation find out by themselves; for operations of many
     * steps.
     */
    public static ModelCheckingOptions assertionsOnly() {
        return modelChecking().actorsPerThread(2).verifier(EpsilonVerifier.class);
    }

    /** The same for operations of a whole executor, whose timer wheel is under a lock. */
    public static ModelCheckingOptions wholeExecutor() {
        return assertionsOnly()
                .actorsAfter(0)
                .addGuarantee(forClasses("dev.spindle.internal.timer.TimerWheel")
                        .allMethods()
                        .treatAsAtomic());
    }

    /**
     * Returns a scenario that chance would hardly make: what two threads do after some operations of {@code type}.
     *
     * @param before names of methods, in order, with blanks between, or nothing; likewise {@code one} and {@code other}
     */
    public static ExecutionScenario scenario(Class<?> type, String before, String one, String other) {
        return new ExecutionScenario(
                actors(type, before), List.of(actors(type, one), actors(type, other)), List.of(), null);
    }

    private static List<Actor> actors(Class<?> type, String names) {
        List<Actor> actors = new ArrayList<>();
        for (String name : names.isEmpty() ? new String[0] : names.split(" ", -1)) {
            try {
                actors.add(new Actor(type.getMethod(name), List.of()));
            } catch (NoSuchMethodException e) {
                throw new IllegalArgumentException(type + " has no public method " + name, e);
            }
        }
        return actors;
    }

    private static <T extends Options<T, ?>> T small(T options) {
        return options.iterations(7 * MORE)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(1);
    }
}

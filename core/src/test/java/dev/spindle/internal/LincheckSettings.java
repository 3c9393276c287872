// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/**
 * Settings for a build on two processors: few and small scenarios, but every switch between two of their steps. The
 * profile {@code long}, and a test run by name, try twice as many scenarios, {@code -Dverify.long=true} six times as
 * many.
 */
public final class LincheckSettings {
    private static final int MORE = Boolean.getBoolean("verify.long") ? 6 : Integer.getInteger("verify.draws", 1);

    private LincheckSettings() {}

    /**
     * Returns options for model checking, which deterministically tries the interleavings of each scenario in order and
     * does not take a pause for an endless loop.
     */
    public static ModelCheckingOptions modelChecking() {
        return small(new ModelCheckingOptions())
                .addGuarantee(ignored("dev.spindle.internal.lane.Chunk", "giveWay"))
                .addGuarantee(ignored("dev.spindle.internal.AdaptiveSpin", "yieldUntil"))
                .addGuarantee(ignored("dev.spindle.channel.ChannelLock", "pause"));
    }

    private static ManagedStrategyGuarantee ignored(String type, String method) {
        return forClasses(type).methods(method).ignore();
    }

    /** Returns options that run each scenario on real threads. */
    public static StressOptions stress() {
        return small(new StressOptions());
    }

    /**
     * Returns options without a check of linearizability, for operations of many steps: only the assertions of the
     * operations and of the validation count.
     */
    public static ModelCheckingOptions assertionsOnly() {
        return modelChecking().actorsPerThread(2).verifier(EpsilonVerifier.class);
    }

    /** Returns the same options for operations of a whole executor, whose timer wheel is under a lock. */
    public static ModelCheckingOptions wholeExecutor() {
        return assertionsOnly()
                .actorsAfter(0)
                .addGuarantee(forClasses("dev.spindle.internal.timer.TimerWheel")
                        .allMethods()
                        .treatAsAtomic());
    }

    /**
     * Returns a scenario unlikely to be drawn at random: two threads act after some operations of {@code type}.
     *
     * @param before names of methods, in order, separated by blanks, possibly none; likewise {@code one} and
     *     {@code other}
     */
    public static ExecutionScenario scenario(Class<?> type, String before, String one, String other) {
        return new ExecutionScenario(
                actors(type, before), List.of(actors(type, one), actors(type, other)), List.of(), null);
    }

    /** Returns a scenario of two threads that act after {@code before}, and of operations after both have ended. */
    public static ExecutionScenario scenario(
            List<Actor> before, List<Actor> one, List<Actor> other, List<Actor> after) {
        return new ExecutionScenario(before, List.of(one, other), after, null);
    }

    /** Returns a call of a public method of {@code type}, whose name must be unique. */
    public static Actor call(Class<?> type, String name, Object... arguments) {
        Method method = Stream.of(type.getMethods())
                .filter(m -> m.getName().equals(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(type + " has no public method " + name));
        return new Actor(method, List.of(arguments));
    }

    /** Returns the number of scenarios to draw, if the profile {@code deep} draws {@code deep}. */
    public static int drawn(int deep) {
        return Math.max(1, deep * MORE / 2);
    }

    /** Fails the scenario unless {@code holds}. */
    public static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    private static List<Actor> actors(Class<?> type, String names) {
        return Stream.of(names.split(" ", -1))
                .filter(name -> !name.isEmpty())
                .map(name -> call(type, name))
                .toList();
    }

    private static <T extends Options<T, ?>> T small(T options) {
        return options.iterations(drawn(7))
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(1);
    }
}

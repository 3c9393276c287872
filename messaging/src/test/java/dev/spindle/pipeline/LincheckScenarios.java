// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;

/** What Lincheck tries: few scenarios by chance, so that a build is short, and some that chance would hardly make. */
final class LincheckScenarios {
    private LincheckScenarios() {}

    /** Returns how many to draw: {@code few}, or three times as many with {@code -Dverify.deep=true}. */
    static int drawn(int few) {
        return Boolean.getBoolean("verify.deep") ? 3 * few : few;
    }

    /** Returns what two threads do after {@code before} was done, and what comes when both have ended. */
    static ExecutionScenario of(List<Actor> before, List<Actor> one, List<Actor> other, List<Actor> after) {
        return new ExecutionScenario(before, List.of(one, other), after, null);
    }

    /** Fails the scenario unless {@code holds}. */
    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    /** Returns the call of a public method of {@code type}, which has no other of that name. */
    static Actor call(Class<?> type, String name, Object... arguments) {
        Method method = Stream.of(type.getMethods())
                .filter(m -> m.getName().equals(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(type + " has no public method " + name));
        return new Actor(method, List.of(arguments));
    }
}

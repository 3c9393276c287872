// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the commands' options have in common: picking rows by name, and naming them. */
public final class Choice {
    private final Function<String, ? extends RuntimeException> refusal;

    /** @param refusal makes the exception for a name that does not exist */
    public Choice(Function<String, ? extends RuntimeException> refusal) {
        this.refusal = refusal;
    }

    /** Those of {@code all} that are asked for, in their own order; all of them when no name is given. */
    public <T> List<T> of(String what, List<String> names, List<T> all, Function<T, String> name) {
        for (String asked : names) {
            if (all.stream().noneMatch(one -> name.apply(one).equals(asked))) {
                throw refusal.apply("unknown " + what + " '" + asked + "'; there are: "
                        + all.stream().map(name).collect(Collectors.joining(", ")));
            }
        }
        return all.stream()
                .filter(one -> names.isEmpty() || names.contains(name.apply(one)))
                .toList();
    }

    /** A line of a listing. */
    public static String entry(String name, String title) {
        return String.format(Locale.ROOT, "  %-16s %s", name, title);
    }

    /** A time as people say it. */
    public static String minutes(Duration time) {
        return time.toSeconds() < 100 ? time.toSeconds() + " s" : (time.toSeconds() + 30) / 60 + " min";
    }
}

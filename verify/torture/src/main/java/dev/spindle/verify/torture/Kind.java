// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.verify.torture.actors.RandomActors;
import dev.spindle.verify.torture.channels.RandomChannels;
import dev.spindle.verify.torture.conflations.RandomConflation;
import dev.spindle.verify.torture.heartbeats.RandomHeartbeats;
import dev.spindle.verify.torture.pipelines.RandomPipeline;
import dev.spindle.verify.torture.tools.RandomProgram;
import java.util.Locale;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The kinds of random programs. */
enum Kind {
    /**
     * Programs for pools. Each of these programs is data, which a separate runner executes and a separate checker
     * checks.
     */
    POOLS("program", "tasks", null),
    PIPELINES("pipeline", "events", RandomPipeline::new),
    CONFLATIONS("conflation", "values", RandomConflation::new),
    ACTORS("actors", "messages", RandomActors::new),
    CHANNELS("channels", "values", RandomChannels::new),
    HEARTBEATS("heartbeats", "beats", RandomHeartbeats::new);

    private final String one;
    private final String what;

    @SuppressWarnings("ImmutableEnumChecker") // the functions capture nothing
    private final @Nullable LongFunction<RandomProgram> maker;

    Kind(String one, String what, @Nullable LongFunction<RandomProgram> maker) {
        this.one = one;
        this.what = what;
        this.maker = maker;
    }

    /** Returns the singular of the kind's programs. */
    String one() {
        return one;
    }

    /** Returns the plural of the kind's programs. */
    String many() {
        return switch (this) {
            case POOLS -> "programs";
            case ACTORS -> "programs of actors";
            case CHANNELS -> "programs of channels";
            case HEARTBEATS -> "programs of heartbeats";
            case PIPELINES, CONFLATIONS -> one + "s";
        };
    }

    /** Returns the plural of the things that a program counts. */
    String what() {
        return what;
    }

    /** Returns the value of the option {@code --only}. */
    String option() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Runs the program of a seed by {@link RandomProgram#run(String, long)}. {@link #POOLS} does not support this
     * method.
     */
    int run(long seed) {
        if (maker == null) {
            throw new IllegalStateException(this + " have a runner of their own");
        }
        return maker.apply(seed).run(one, seed);
    }
}

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

/** The kinds of programs that are made from a seed and run. */
enum Kind {
    /** Programs for pools. They are data, and have a runner and a checker of their own. */
    POOLS("program", "tasks", null),
    PIPELINES("pipeline", "events", RandomPipeline::new),
    CONFLATIONS("conflation", "values", RandomConflation::new),
    ACTORS("actors", "messages", RandomActors::new),
    CHANNELS("channels", "values", RandomChannels::new),
    HEARTBEATS("heartbeats", "beats", RandomHeartbeats::new);

    private final String one;
    private final String what;

    @SuppressWarnings("ImmutableEnumChecker") // captures nothing
    private final @Nullable LongFunction<RandomProgram> maker;

    Kind(String one, String what, @Nullable LongFunction<RandomProgram> maker) {
        this.one = one;
        this.what = what;
        this.maker = maker;
    }

    /** Returns the word for one program. */
    String one() {
        return one;
    }

    /** Returns the word for several programs. */
    String many() {
        return switch (this) {
            case POOLS -> "programs";
            case ACTORS -> "programs of actors";
            case CHANNELS -> "programs of channels";
            case HEARTBEATS -> "programs of heartbeats";
            case PIPELINES, CONFLATIONS -> one + "s";
        };
    }

    /** Returns the word for the things that are counted. */
    String what() {
        return what;
    }

    /** Returns the name on the command line. */
    String option() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Runs the program of a seed, as {@link RandomProgram#run(String, long)}; not for pools. */
    int run(long seed) {
        if (maker == null) {
            throw new IllegalStateException(this + " have a runner of their own");
        }
        return maker.apply(seed).run(one, seed);
    }
}

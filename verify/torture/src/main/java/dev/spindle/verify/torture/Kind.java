// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.verify.torture.actors.RandomActors;
import dev.spindle.verify.torture.channels.RandomChannels;
import dev.spindle.verify.torture.coalescers.RandomCoalescer;
import dev.spindle.verify.torture.heartbeats.RandomHeartbeats;
import dev.spindle.verify.torture.pipelines.RandomPipeline;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is made from a seed and run. */
enum Kind {
    /** Programs for pools; these are data, and have a runner and a checker of their own. */
    POOLS("program", "tasks", null),
    PIPELINES("pipeline", "events", RandomPipeline::run),
    COALESCERS("coalescer", "updates", RandomCoalescer::run),
    ACTORS("actors", "messages", RandomActors::run),
    CHANNELS("channels", "values", RandomChannels::run),
    HEARTBEATS("heartbeats", "beats", RandomHeartbeats::run);

    private final String one;
    private final String what;

    @SuppressWarnings("ImmutableEnumChecker") // captures nothing
    private final @Nullable Trial trial;

    /** Runs what a seed makes. */
    interface Trial {
        /**
         * Returns how much there was of what is counted.
         *
         * @throws AssertionError that says what went wrong
         */
        int run(long seed) throws Exception;
    }

    Kind(String one, String what, @Nullable Trial trial) {
        this.one = one;
        this.what = what;
        this.trial = trial;
    }

    /** The word for one of them. */
    String one() {
        return one;
    }

    /** The word for several of them. */
    String many() {
        return switch (this) {
            case POOLS -> "programs";
            case ACTORS -> "programs of actors";
            case CHANNELS -> "programs of channels";
            case HEARTBEATS -> "programs of heartbeats";
            case PIPELINES, COALESCERS -> one + "s";
        };
    }

    /** The word for what is counted. */
    String what() {
        return what;
    }

    /** The name on the command line. */
    String option() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Runs what a seed makes; not for pools. */
    int run(long seed) throws Exception {
        if (trial == null) {
            throw new IllegalStateException(this + " have a runner of their own");
        }
        return trial.run(seed);
    }
}

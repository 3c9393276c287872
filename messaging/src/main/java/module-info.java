// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Actors, channels and pipelines, which run on the workers of a spindle and have no threads of their own. */
module dev.spindle.messaging {
    requires transitive dev.spindle.core;
    requires static org.jspecify;

    exports dev.spindle.actor;
    exports dev.spindle.channel;
    exports dev.spindle.pipeline;
}

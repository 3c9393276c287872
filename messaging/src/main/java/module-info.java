// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Messages between strands. Runs on the workers of a spindle and has no thread of its own. */
module dev.spindle.messaging {
    requires transitive dev.spindle.core;
    requires static transitive org.jspecify;

    exports dev.spindle.actor;
    exports dev.spindle.channel;
    exports dev.spindle.pipeline;
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Calls of several services as one call. Time limits are those of a spindle; the module has no threads. */
module dev.spindle.flow {
    requires transitive dev.spindle.core;
    requires static org.jspecify;

    exports dev.spindle.flow;
    exports dev.spindle.flow.limit;
}

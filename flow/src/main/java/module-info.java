// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Many calls as one. Time limits are those of a spindle; the module has no thread of its own and knows no network. */
module dev.spindle.flow {
    requires transitive dev.spindle.core;
    requires static transitive org.jspecify;

    exports dev.spindle.flow;
}

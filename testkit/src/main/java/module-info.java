// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Tests of code that runs on Spindle, without concurrency, in simulated time, and in orders that a seed determines. */
module dev.spindle.testkit {
    requires java.management;
    requires transitive dev.spindle.core;
    requires static org.jspecify;

    exports dev.spindle.testkit;
}

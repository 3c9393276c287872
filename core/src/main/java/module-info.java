// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The executor: one elastic pool of workers that runs tasks in order per key.
 *
 * <p>At run time the module depends on {@code java.base} alone. It records events if {@code jdk.jfr} is present.
 */
@SuppressWarnings("module") // the named modules are built later
module dev.spindle.core {
    requires static jdk.jfr;
    requires static org.jspecify;

    exports dev.spindle;
    exports dev.spindle.internal to
            dev.spindle.flow,
            dev.spindle.gateway,
            dev.spindle.kafka,
            dev.spindle.messaging,
            dev.spindle.observe,
            dev.spindle.testkit;
    exports dev.spindle.internal.report to
            dev.spindle.flow,
            dev.spindle.gateway,
            dev.spindle.kafka,
            dev.spindle.messaging;
    exports dev.spindle.internal.wait to
            dev.spindle.gateway,
            dev.spindle.messaging;
}

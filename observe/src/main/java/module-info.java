// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Metrics, health and management of spindles, and of what is built on them.
 *
 * <p>Only {@link dev.spindle.observe.SpindleMetrics} needs Micrometer.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.spindle.observe {
    requires jdk.httpserver;
    requires transitive dev.spindle.core;
    requires transitive java.management;
    requires static micrometer.core;
    requires static org.jspecify;

    exports dev.spindle.observe;
    exports dev.spindle.observe.dashboard;
}

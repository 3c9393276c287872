// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.admin;

import dev.spindle.gateway.backend.Backend;
import dev.spindle.gateway.backend.Instance;
import dev.spindle.gateway.backend.Instances;
import java.util.Collection;
import java.util.function.ToLongFunction;

/** The metrics of the instances of backends, in the text format of Prometheus. */
final class InstancesText {
    private InstancesText() {}

    /** Appends the metrics of all backends with several instances. */
    static void of(Collection<Backend> backends, StringBuilder out) {
        if (backends.stream().allMatch(backend -> backend.several == null)) {
            return;
        }
        each(backends, out, "up", "gauge", "1 if the instance takes calls.", one -> one.takesCalls() ? 1 : 0);
        each(backends, out, "in_flight", "gauge", "Calls under way at the instance.", Instance::underWay);
        each(backends, out, "calls_total", "counter", "Calls given to the instance.", one -> one.calls.sum());
        each(backends, out, "failures_total", "counter", "Calls that the instance failed.", one -> one.failed.sum());
        each(backends, out, "ejections_total", "counter", "Ejections of the instance.", one -> one.ejections.sum());
    }

    private static void each(
            Collection<Backend> backends,
            StringBuilder out,
            String name,
            String type,
            String help,
            ToLongFunction<Instance> value) {
        String full = "spindle_gateway_instance_" + name;
        MetricsText.type(out, full, type, help);
        for (Backend backend : backends) {
            Instances several = backend.several;
            if (several == null) {
                continue;
            }
            for (Instance one : several.all()) {
                MetricsText.line(
                        out,
                        full,
                        value.applyAsLong(one),
                        "backend",
                        backend.config.name(),
                        "instance",
                        one.address.toString());
            }
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.gateway.servers.Plan;
import dev.spindle.benchmarks.gateway.servers.ServerMain;
import java.util.List;

/**
 * Which gateway takes part, and how it is protected.
 *
 * @param prefix the command that starts its JVM, empty for none
 */
public record Entrant(ServerMain.Kind kind, Plan.Guard guard, List<String> prefix) {
    public Entrant {
        prefix = List.copyOf(prefix);
    }

    public Entrant(ServerMain.Kind kind, Plan.Guard guard) {
        this(kind, guard, List.of());
    }
}

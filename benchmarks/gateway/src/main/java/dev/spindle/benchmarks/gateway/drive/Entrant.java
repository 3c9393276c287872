// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

import dev.spindle.benchmarks.gateway.servers.Plan;
import dev.spindle.benchmarks.gateway.servers.ServerMain;

/** Which gateway takes part, and how it is protected. */
public record Entrant(ServerMain.Kind kind, Plan.Guard guard) {}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.flow.Deadline;
import dev.spindle.flow.Permit;
import dev.spindle.gateway.protocol.Target;

/**
 * The result of the admission of a request by {@link GatewayState#admit}.
 *
 * @param route the route that answers the request
 * @param target the path and the query of the request
 * @param deadline the time by which the request must be answered
 * @param permit the right to be under way, which the {@link Exchange} gives back once
 * @param client the address of the client, which is counted until the end of the request
 */
record Admission(Route route, Target target, Deadline deadline, Permit permit, String client) {}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.flow.Deadline;
import dev.spindle.flow.Permit;
import dev.spindle.gateway.protocol.Target;

/**
 * The admission of a request, which {@link GatewayState#admit} decides: what its exchange begins with.
 *
 * @param route answers the request
 * @param target path and query of the request
 * @param deadline the moment by which the request has to be answered
 * @param permit the right to be under way; its owner gives it back once
 */
record Admission(Route route, Target target, Deadline deadline, Permit permit) {}

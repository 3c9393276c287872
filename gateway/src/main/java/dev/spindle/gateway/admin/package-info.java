// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The handlers of the addresses for load balancers and operators: health, metrics as text, and the agent check of
 * HAProxy.
 *
 * <p>The handlers access a gateway only as a {@link dev.spindle.gateway.admin.GatewayStatus}. The addresses have their
 * own limits of connections, so the handlers answer even while the gateway refuses requests.
 */
@NullMarked
package dev.spindle.gateway.admin;

import org.jspecify.annotations.NullMarked;

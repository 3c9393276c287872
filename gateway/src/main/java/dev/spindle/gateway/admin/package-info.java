// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The handlers of the addresses for load balancers and operators: health, metrics as text, and the agent check of
 * HAProxy.
 *
 * <p>The handlers access a gateway only as a {@link dev.spindle.gateway.admin.GatewayStatus}. They have their own
 * limits of connections, so they answer even while the gateway refuses requests.
 */
@NullMarked
package dev.spindle.gateway.admin;

import org.jspecify.annotations.NullMarked;

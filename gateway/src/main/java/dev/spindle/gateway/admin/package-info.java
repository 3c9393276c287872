// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The addresses for balancers and operators: health, metrics as text, the agent check of HAProxy.
 *
 * <p>They access a gateway only as a {@link dev.spindle.gateway.admin.GatewayStatus}, and have their own limits, so
 * that they answer even while the gateway is full.
 */
@NullMarked
package dev.spindle.gateway.admin;

import org.jspecify.annotations.NullMarked;

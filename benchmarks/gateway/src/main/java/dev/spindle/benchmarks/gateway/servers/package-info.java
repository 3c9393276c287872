// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The gateways, the backends behind them, and the process that each runs in. Every gateway has the same routes, waits
 * for all calls of a request, and passes on all that the backends answered.
 */
@NullMarked
package dev.spindle.benchmarks.gateway.servers;

import org.jspecify.annotations.NullMarked;

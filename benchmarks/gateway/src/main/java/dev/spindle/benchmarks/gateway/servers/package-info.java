// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The gateways, the backends that they call, and the main class of their processes. Every gateway has the same routes,
 * waits for all calls of a request, and returns all their bodies.
 */
@NullMarked
package dev.spindle.benchmarks.gateway.servers;

import org.jspecify.annotations.NullMarked;

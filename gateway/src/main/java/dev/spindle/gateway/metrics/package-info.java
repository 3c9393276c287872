// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Counts of requests, routes and backends, and the access log. Any thread may count, and no method that counts waits
 * for a disk.
 */
@NullMarked
package dev.spindle.gateway.metrics;

import org.jspecify.annotations.NullMarked;

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Counts of requests, routes and backends, and the access log. Any thread may count; nothing here waits for a disk or
 * knows what it counts.
 */
@NullMarked
package dev.spindle.gateway.metrics;

import org.jspecify.annotations.NullMarked;

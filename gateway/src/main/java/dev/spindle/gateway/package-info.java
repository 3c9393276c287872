// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * An HTTP gateway: answers each request with calls of other servers, on a thread per processor.
 *
 * <pre>
 *   clients ──► event loop ──► routes ──► backends      all connections of a request are on one loop;
 *                  │                         ▲          order by key, and what comes after a time
 *                  └──► lanes, time limits ──┘          limit, passes through the spindle
 * </pre>
 *
 * <p>{@link dev.spindle.gateway.Gateway} runs one in a program; {@code ./spindle gateway} does on the command line.
 */
@NullMarked
package dev.spindle.gateway;

import org.jspecify.annotations.NullMarked;

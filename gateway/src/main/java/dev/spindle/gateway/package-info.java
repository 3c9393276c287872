// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * An HTTP gateway, which answers each request by calling other servers.
 *
 * <pre>
 *   clients ──► event loop ──► routes ──► backends      all connections of a request are on one loop;
 *                  │                         ▲          order by key, and work after a time
 *                  └──► lanes, time limits ──┘          limit, passes through the spindle
 * </pre>
 *
 * <p>{@link dev.spindle.gateway.Gateway} runs a gateway in a program, with the options of a route file. The command
 * {@code ./spindle gateway} runs a gateway as a process. No signature contains a type of Netty. The other packages are
 * not exported. Each of them uses only packages to its right or below it:
 *
 * <pre>
 *   command, this package ──► server ──► admin ──► backend ──► protocol
 *                                └─────────┴──────────┴──────► metrics ──► loop ──► config
 * </pre>
 */
@NullMarked
package dev.spindle.gateway;

import org.jspecify.annotations.NullMarked;

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * An HTTP gateway: answers each request with calls of other servers, on a thread per processor.
 *
 * <pre>
 *   clients ──► event loop ──► routes ──► backends      all connections of a request are on one loop;
 *                  │                         ▲          order by key, and work after a time
 *                  └──► lanes, time limits ──┘          limit, passes through the spindle
 * </pre>
 *
 * <p>{@link dev.spindle.gateway.Gateway} runs a gateway in a program, by the options of a route file,
 * {@code ./spindle gateway} on the command line. No signature contains a type of Netty. Of the packages that are not
 * exported, each uses only those to its right or below it:
 *
 * <pre>
 *   command, this package ──► server ──► admin ──► backend ──► protocol
 *                                └─────────┴──────────┴──────► metrics ──► loop ──► config
 * </pre>
 */
@NullMarked
package dev.spindle.gateway;

import org.jspecify.annotations.NullMarked;

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The server side: connections of clients, requests under way, routes, and the life of a gateway.
 *
 * <pre>
 *   ClientInitializer ──► ServerHandler (HTTP/1.1) ──────────────┐
 *                    └──► Http2 ──► ServerHandler (a stream) ──► Exchange ──► Route ──► backends
 * </pre>
 *
 * <p>A connection, its streams and its requests are confined to the event loop that the connection was given at first.
 * {@link dev.spindle.gateway.server.NettyGateway} starts all of it and ends it.
 */
@NullMarked
package dev.spindle.gateway.server;

import org.jspecify.annotations.NullMarked;

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
 * <p>A connection, its streams and its requests are confined to the event loop with which the connection was
 * registered. {@link dev.spindle.gateway.server.NettyGateway} starts and ends the server side.
 */
@NullMarked
package dev.spindle.gateway.server;

import org.jspecify.annotations.NullMarked;

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Backends and the calls to them: the guards of a backend, its connections on each event loop, and one attempt at a
 * call.
 *
 * <pre>
 *   server ──► Backend (guards of flow) ──► BackendCall ──► ConnectionPool ──► BackendConnection
 *                                               │
 *                                               └──► ClientRequest (body and answer in pieces, memory)
 * </pre>
 *
 * <p>A backend accesses the client's request only as a {@link dev.spindle.gateway.backend.ClientRequest}. A call, its
 * pool and its connection are on the event loop of the client's connection.
 */
@NullMarked
package dev.spindle.gateway.backend;

import org.jspecify.annotations.NullMarked;

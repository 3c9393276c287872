// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Event loops and sockets, the bound on held memory, and the state that the connections of one loop share: time limits
 * and the set of open connections.
 *
 * <pre>
 *   Transport ──► PersistentLoop (a thread) ──► ConnectionLoop (limits, open connections of that thread)
 *       └──► Acceptor (one for each listening socket, gives connections to the loops)
 * </pre>
 *
 * <p>A class of this package is confined to one event loop unless its documentation says otherwise. No other package
 * starts a thread that serves sockets.
 */
@NullMarked
package dev.spindle.gateway.loop;

import org.jspecify.annotations.NullMarked;

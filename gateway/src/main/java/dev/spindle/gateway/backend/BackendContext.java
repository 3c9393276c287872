// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.Spindle;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Transport;
import dev.spindle.gateway.protocol.Deadlines;
import java.util.List;

/**
 * Parts of a gateway that all its backends use.
 *
 * @param spindle the spindle that runs time limits, retries and the queues of bulkheads
 * @param transport the transport, which opens sockets and resolves names
 * @param loops the event loops, each of which has its own connections to a backend
 * @param deadlines the rules by which the remaining time is written into the heads of calls
 * @param mostAnswer the maximum bytes of an answer that is held until it is complete
 */
public record BackendContext(
        Spindle spindle, Transport transport, List<ConnectionLoop> loops, Deadlines deadlines, int mostAnswer) {
    /** Creates a context. */
    public BackendContext {
        loops = List.copyOf(loops);
    }
}

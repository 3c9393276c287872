// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import io.netty.buffer.ByteBuf;

/**
 * A call whose body or answer the client's request forwards in pieces. All methods are called on the event loop of the
 * request.
 */
public interface StreamedCall {
    /**
     * Sends a piece of the body, whose buffer then belongs to the connection.
     *
     * @param last true if the piece ends the body
     * @return false if the backend's socket takes no further bytes now; {@link ClientRequest#uploadWritable} is called
     *     when the socket takes bytes again
     */
    boolean send(ByteBuf piece, boolean last);

    /** Returns whether the whole request was written. */
    boolean isSent();

    /** Returns the number of bytes of the request that the backend's socket has not taken. */
    long unsent();

    /** Flushes the pieces that were sent. */
    void flushSent();

    /** Sets whether the backend waits for a piece of the body that the client has not sent. */
    void awaitsBody(boolean is);

    /** Continues to read the answer, since the client takes bytes again. */
    void resume();
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.protocol.HeadBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The request of a client, as seen by the calls that are made for the request. Retries, hedges and later steps begin on
 * threads of the spindle, so {@link #loop}, {@link #streams} and {@link #keep} may be called by any thread. All other
 * methods are called on the event loop of the request.
 */
public interface ClientRequest {
    /** Returns the event loop of the client's connection, on which all calls for the request run. */
    ConnectionLoop loop();

    /** Returns the allocator of the client's connection. */
    ByteBufAllocator allocator();

    /** Returns whether the request has ended, so that its calls are no longer needed. */
    boolean isEnded();

    // ---------------------------------------------------------------- the head that calls send

    /** Returns the path and the query that backends get, without the base path of a backend. */
    String target();

    /** Returns the field Host of the client; null if it has sent none. */
    @Nullable
    String host();

    /** Returns the length of the client's body, or -1 if the client does not state it. */
    long contentLength();

    /**
     * Returns whether the client stated its deadline in {@code grpc-timeout}. If so, backends get this field as well.
     */
    boolean saidGrpcTimeout();

    /**
     * Adds the fields that all calls have in common.
     *
     * @param withType true if the body is the client's, so that its type is included
     */
    void forwarded(HeadBytes to, boolean withType);

    // ---------------------------------------------------------------- memory

    /**
     * Counts bytes that are held for this request until its end.
     *
     * @return false if there is no memory for them, or the request has ended
     */
    boolean hold(long bytes);

    /**
     * Takes over a buffer, and returns a buffer with the same content that calls may use until the end of the request.
     */
    ByteBuf keep(ByteBuf body);

    // ---------------------------------------------------------------- the body, in pieces

    /** Sends the present and the future pieces of the body to {@code to}. */
    void upload(StreamedCall to);

    /** Continues to send the body, since the backend's socket takes bytes again. */
    void uploadWritable(StreamedCall from);

    /** Stops sending to {@code from}, which has ended. */
    void uploadEnded(StreamedCall from);

    // ---------------------------------------------------------------- the answer

    /** Returns whether the answer is forwarded to the client in pieces as it arrives. */
    boolean streams();

    /**
     * Returns whether several answers are gathered. If so, an answer with status 500 or above is not one of the needed
     * answers.
     */
    boolean gathers();

    /**
     * Forwards the head of an answer whose body follows in pieces.
     *
     * @param headers the fields as the backend has sent them
     */
    void answerHead(StreamedCall from, int status, HttpHeaders headers, long length);

    /**
     * Forwards a piece of the answer, whose buffer then belongs to the request. Returns false if the next piece should
     * wait.
     */
    boolean answerContent(ByteBuf piece);

    /** Flushes the pieces that were forwarded. */
    void flush();

    /** Reports that the backend reset its connection instead of ending its answer. */
    void backendReset();
}

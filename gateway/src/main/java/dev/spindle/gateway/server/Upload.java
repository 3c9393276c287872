// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.backend.StreamedCall;
import dev.spindle.gateway.protocol.Pieces;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request: held until it is complete, or forwarded in pieces to one call.
 *
 * <p>Confined to the event loop. The exchange calls {@link #close}, which releases all buffers.
 */
final class Upload {
    /*
     * Upload-1  Each piece is in `pieces`, or part of `whole`, or was sent, or was released.
     * Upload-2  While `to` is set, `pieces` is empty unless the backend is `full`. A client whose body is forwarded is
     *           not read while the backend is full, or while the bytes of a read wait for the first call.
     */
    private final ByteBufAllocator allocator;
    private final Runnable pauseChanged;
    private final boolean streams;
    private final Pieces pieces = new Pieces();
    /** The call that gets the pieces; null before the first call and after its end. */
    private @Nullable StreamedCall to;
    /** The complete body; null before a call asks for the body, and after {@link #close}. */
    private @Nullable ByteBuf whole;
    /** Further buffers that are released by {@link #close}; null if there are none. */
    private @Nullable List<ByteBuf> kept;
    /** The number of bytes received, including dropped bytes. */
    private long received;
    /** True if the last piece has arrived. */
    private boolean complete;
    /** True while the backend's socket takes no further bytes. */
    private boolean full;
    /** True while the client is not read. */
    private boolean paused;
    /** True if pieces are dropped. */
    private boolean closed;

    /**
     * Creates the body of a request.
     *
     * @param pauseChanged the action that runs when {@link #isPaused} has changed
     * @param streams true if the body is forwarded in pieces
     */
    Upload(ByteBufAllocator allocator, Runnable pauseChanged, boolean streams) {
        this.allocator = allocator;
        this.pauseChanged = pauseChanged;
        this.streams = streams;
    }

    /** Takes over a piece, and returns the number of bytes received so far. */
    long add(ByteBuf piece, boolean last) {
        received += piece.readableBytes();
        if (last) {
            complete = true;
            tellWhoseTurn();
        }
        if (closed) {
            piece.release();
        } else {
            pieces.add(piece, allocator);
            send();
        }
        return received;
    }

    /** Returns the whole body, which still belongs to the upload, or null if the body is not complete. */
    @Nullable
    ByteBuf whole() {
        if (!complete) {
            return null;
        }
        if (whole == null) {
            whole = pieces.all(allocator);
        }
        return whole;
    }

    /** Takes over a buffer that is released by {@link #close}. */
    void keep(ByteBuf buffer) {
        if (kept == null) {
            kept = new ArrayList<>(2);
        }
        kept.add(buffer);
    }

    /** Sends the present and the future pieces to a call. */
    void to(StreamedCall call) {
        to = call;
        send();
        pause(full && !complete);
        tellWhoseTurn();
    }

    /** Sends the waiting pieces and the end of a complete body, until the backend takes no further bytes. */
    private void send() {
        StreamedCall call = to;
        if (call == null) {
            return;
        }
        while (!full && !pieces.isEmpty()) {
            ByteBuf piece = pieces.next();
            full = !call.send(piece, complete && pieces.isEmpty()); // Upload-2
        }
        if (!full && complete && !call.isSent()) {
            full = !call.send(Unpooled.EMPTY_BUFFER, true);
        }
        if (full && !complete) {
            pause(true);
        }
    }

    /** Returns the number of bytes that are held here or wait for a backend that takes no further bytes. */
    long held() {
        long here = (long) pieces.bytes() + (whole == null ? 0 : whole.readableBytes());
        return full && to != null ? here + to.unsent() : here;
    }

    /**
     * Tells the call whether its backend waits for the client. The backend waits while the client is read and the body
     * is not complete.
     */
    private void tellWhoseTurn() {
        if (to != null) {
            to.awaitsBody(!complete && !paused); // BackendCall-4
        }
    }

    /** Continues sending, since the backend's socket takes bytes again. */
    void writable(StreamedCall from) {
        if (to == from) {
            full = false;
            send();
            pause(full && !complete);
        }
    }

    /**
     * Called when all available bytes were read. Flushes the pieces that were sent to a call. Without a call, stops
     * reading an incomplete body that is to be forwarded in pieces.
     */
    void flush() {
        if (to != null) {
            to.flushSent();
        } else if (streams && !complete && !closed) {
            pause(true);
        }
    }

    /** Stops sending to a call that has ended. Later pieces are dropped. */
    void ended(StreamedCall from) {
        if (to == from) {
            to = null;
            closed = true;
            pieces.release();
            pause(false);
        }
    }

    /** Releases all buffers. Later pieces are dropped. */
    void close() {
        to = null;
        closed = true;
        pieces.release(); // Upload-1
        if (whole != null) {
            whole.release();
            whole = null;
        }
        if (kept != null) {
            kept.forEach(ByteBuf::release);
            kept = null;
        }
        pause(false);
    }

    /** Returns whether the client is not read now. */
    boolean isPaused() {
        return paused;
    }

    private void pause(boolean now) {
        if (paused != now) {
            paused = now;
            tellWhoseTurn();
            pauseChanged.run();
        }
    }
}

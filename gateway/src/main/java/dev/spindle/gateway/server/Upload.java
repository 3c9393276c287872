// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.backend.StreamedCall;
import dev.spindle.gateway.protocol.Pieces;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request: held until it is complete, or forwarded in pieces to one call.
 *
 * <p>Confined to the event loop. It ends with its exchange, in {@link #close}, where all buffers are released.
 */
final class Upload {
    /*
     * Upload-1  Each piece is in `pieces`, or part of `whole`, or was sent, or was released.
     * Upload-2  With a call to send to, `pieces` is empty unless the backend is `full`. While the backend is full, or
     *           more than one reading waits, the client is not read.
     */
    private final ByteBufAllocator allocator;
    private final Runnable pauseChanged;
    private final boolean streams;
    private final Pieces pieces = new Pieces();
    /** The call that gets the pieces; null if there is none yet, or no more. */
    private @Nullable StreamedCall to;
    /** The complete body, once a call has asked for it. */
    private @Nullable ByteBuf whole;
    /** Bytes that have come, whatever became of them. */
    private long received;
    /** Whether the last piece has come. */
    private boolean complete;
    /** Whether the backend's socket takes no more now. */
    private boolean full;
    /** Whether the client is not read now. */
    private boolean paused;
    /** Whether pieces are dropped. */
    private boolean closed;

    /**
     * Creates the body of a request.
     *
     * @param pauseChanged is run when {@link #isPaused} has changed
     * @param streams whether the body is forwarded in pieces
     */
    Upload(ByteBufAllocator allocator, Runnable pauseChanged, boolean streams) {
        this.allocator = allocator;
        this.pauseChanged = pauseChanged;
        this.streams = streams;
    }

    /** Takes over a piece, and returns how many bytes have come so far. */
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

    /** Returns the whole body, which still belongs to the upload, or null if it is not complete. */
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

    /** Sends the pieces that there are, and those that come, to a call. */
    void to(StreamedCall call) {
        to = call;
        send();
        pause(full && !complete);
        tellWhoseTurn();
    }

    /** Sends what waits, as far as the backend takes it. */
    private void send() {
        StreamedCall call = to;
        if (call == null) {
            return;
        }
        while (!full && !pieces.isEmpty()) {
            ByteBuf piece = pieces.next();
            full = !call.send(piece, complete && pieces.isEmpty());
        }
        if (!full && complete && !call.isSent()) {
            full = !call.send(Unpooled.EMPTY_BUFFER, true);
        }
        if (full && !complete) {
            pause(true);
        }
    }

    /** Returns how many bytes are held here, and in front of a backend that takes no more. */
    long held() {
        long here = (long) pieces.bytes() + (whole == null ? 0 : whole.readableBytes());
        return full && to != null ? here + to.unsent() : here;
    }

    /**
     * Tells the call whether its backend waits for the client. It does while the client is read and the body is not
     * complete.
     */
    private void tellWhoseTurn() {
        if (to != null) {
            to.awaitsBody(!complete && !paused);
        }
    }

    /** Continues after the backend was full. */
    void writable(StreamedCall from) {
        if (to == from) {
            full = false;
            send();
            pause(full && !complete);
        }
    }

    /** Called when all that could be read was read: flushes, or pauses the client if there is no call yet. */
    void flush() {
        if (to != null) {
            to.flushSent();
        } else if (streams && !complete && !closed) {
            pause(true);
        }
    }

    /** Stops sending to a call that has ended. Pieces that come from now on are dropped. */
    void ended(StreamedCall from) {
        if (to == from) {
            to = null;
            closed = true;
            pieces.release();
            pause(false);
        }
    }

    /** Releases everything. Pieces that come from now on are dropped. */
    void close() {
        to = null;
        closed = true;
        pieces.release();
        if (whole != null) {
            whole.release();
            whole = null;
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

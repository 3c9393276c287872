// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The body of a request: held until it is complete, or handed on in pieces. Confined to the event loop. */
final class Upload {
    /*
     * Upload-1  A piece is in `pieces`, or part of `whole`, or was sent, or was released.
     * Upload-2  With a call to send to, `pieces` is empty. While more than the pieces of one reading wait, or the
     *           backend takes no more, the client is not read.
     */
    private final ServerHandler connection;
    private final boolean streams;
    private final ArrayDeque<ByteBuf> pieces = new ArrayDeque<>(1);
    private @Nullable BackendCall to;
    private @Nullable ByteBuf whole;
    private long received;
    private boolean complete;
    private boolean paused;
    private boolean closed;

    Upload(ServerHandler connection, boolean streams) {
        this.connection = connection;
        this.streams = streams;
    }

    /** Takes a piece, and returns how many bytes have come so far. */
    long add(ByteBuf piece, boolean last) {
        received += piece.readableBytes();
        if (last) {
            complete = true;
            tellWhoseTurn();
        }
        if (closed) {
            piece.release();
        } else if (to != null) {
            if (!to.send(piece, last) && !last) {
                pause(true);
            }
        } else if (piece.isReadable()) {
            pieces.add(piece);
        } else {
            piece.release();
        }
        return received;
    }

    /** Returns the whole body if it is complete, else null. It stays the upload's. */
    @Nullable
    ByteBuf whole() {
        if (!complete) {
            return null;
        }
        if (whole == null) {
            if (pieces.size() > 1) {
                CompositeByteBuf all = connection.allocator().compositeBuffer(pieces.size());
                pieces.forEach(piece -> all.addComponent(true, piece));
                whole = all;
            } else {
                whole = pieces.isEmpty() ? Unpooled.EMPTY_BUFFER : pieces.getFirst();
            }
            pieces.clear();
        }
        return whole;
    }

    /** Sends what there is, and what comes, to a call. */
    void to(BackendCall call) {
        to = call;
        boolean takesMore = true;
        while (!pieces.isEmpty()) {
            ByteBuf piece = pieces.remove();
            takesMore = call.send(piece, complete && pieces.isEmpty());
        }
        if (complete && !call.isSent()) {
            takesMore = call.send(Unpooled.EMPTY_BUFFER, true);
        }
        pause(!takesMore && !complete);
        if (!complete) {
            tellWhoseTurn();
        }
    }

    /** While the backend takes more than the client has sent, it waits for the client. */
    private void tellWhoseTurn() {
        if (to != null) {
            to.awaitsBody(!complete && !paused);
        }
    }

    void writable(BackendCall from) {
        if (to == from) {
            pause(false);
        }
    }

    /** Called when all that could be read was read. */
    void flush() {
        if (to != null) {
            to.flushSent();
        } else if (streams && !complete && !closed) {
            pause(true);
        }
    }

    /** The call takes no more. What comes from now on is dropped. */
    void ended(BackendCall from) {
        if (to == from) {
            to = null;
            closed = true;
            pause(false);
        }
    }

    void close() {
        to = null;
        closed = true;
        pieces.forEach(ByteBuf::release);
        pieces.clear();
        if (whole != null) {
            whole.release();
            whole = null;
        }
        pause(false);
    }

    boolean isPaused() {
        return paused;
    }

    private void pause(boolean now) {
        if (paused != now) {
            paused = now;
            tellWhoseTurn();
            connection.readsChanged();
        }
    }
}

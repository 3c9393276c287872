// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** The body of a request: held until it is complete, or handed on in pieces. Confined to the event loop. */
final class Upload {
    /*
     * Upload-1  A piece is in `pieces`, or part of `whole`, or was sent, or was released.
     * Upload-2  With a call to send to, `pieces` is empty unless the backend is `full`. While more than the pieces of
     *           one reading wait, or the backend is full, the client is not read.
     */
    private final ServerHandler connection;
    private final boolean streams;
    private final Pieces pieces = new Pieces();
    private @Nullable BackendCall to;
    private @Nullable ByteBuf whole;
    private long received;
    private boolean complete;
    private boolean full;
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
        } else {
            pieces.add(piece, connection.allocator());
            send();
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
            whole = pieces.all(connection.allocator());
        }
        return whole;
    }

    /** Sends what there is, and what comes, to a call. */
    void to(BackendCall call) {
        to = call;
        send();
        pause(full && !complete);
        tellWhoseTurn();
    }

    private void send() {
        BackendCall call = to;
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

    /** Returns how many bytes are held here, or in front of a backend that takes no more. */
    long held() {
        long here = (long) pieces.bytes() + (whole == null ? 0 : whole.readableBytes());
        return full && to != null ? here + to.unsent() : here;
    }

    /** While the backend takes more than the client has sent, it waits for the client. */
    private void tellWhoseTurn() {
        if (to != null) {
            to.awaitsBody(!complete && !paused);
        }
    }

    void writable(BackendCall from) {
        if (to == from) {
            full = false;
            send();
            pause(full && !complete);
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
            pieces.release();
            pause(false);
        }
    }

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

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;

/**
 * A queue of the waiting bytes of a body.
 *
 * <p>Confined to an event loop. This object owns the buffers until a method returns or releases them.
 */
public final class Pieces {
    /*
     * Pieces-1  Consecutive small pieces share one buffer, so that the used memory is close to the number of waiting
     *           bytes.
     */
    /** The maximum bytes of a piece that is copied into the buffer of the previous pieces. Not measured. */
    private static final int SMALL = 1 << 10;
    /** The number of bytes at which a buffer of copied pieces takes no further piece. Not measured. */
    private static final int FULL = 32 << 10;

    private final ArrayDeque<ByteBuf> pieces = new ArrayDeque<>(1);
    /** True if the last buffer takes copies. */
    private boolean open;

    private int bytes;

    /** Takes over a piece. An empty piece is released. */
    public void add(ByteBuf piece, ByteBufAllocator allocator) {
        int more = piece.readableBytes();
        if (more == 0) {
            piece.release();
            return;
        }
        bytes += more;
        ByteBuf last = pieces.peekLast();
        if (last == null || more > SMALL) { // Pieces-1
            pieces.add(piece);
            open = false;
            return;
        }
        if (!open) {
            last = join(last, allocator);
        }
        last.writeBytes(piece);
        piece.release();
        open = last.readableBytes() < FULL;
    }

    /** Returns a new last buffer for copies, which begins with the previous piece if that piece is small. */
    private ByteBuf join(ByteBuf last, ByteBufAllocator allocator) {
        ByteBuf joined = allocator.buffer();
        if (last.readableBytes() <= SMALL) {
            joined.writeBytes(last);
            pieces.removeLast().release();
        }
        pieces.add(joined);
        return joined;
    }

    /** Returns whether no byte waits. */
    public boolean isEmpty() {
        return pieces.isEmpty();
    }

    /** Returns the number of waiting bytes. */
    public int bytes() {
        return bytes;
    }

    /** Returns the first piece, which then belongs to the caller. The queue must not be empty. */
    public ByteBuf next() {
        ByteBuf first = pieces.remove();
        bytes -= first.readableBytes();
        open &= !pieces.isEmpty();
        return first;
    }

    /** Returns all pieces as one buffer, which belongs to the caller. No byte waits afterwards. */
    public ByteBuf all(ByteBufAllocator allocator) {
        ByteBuf all;
        if (pieces.size() > 1) {
            CompositeByteBuf parts = allocator.compositeBuffer(pieces.size());
            pieces.forEach(piece -> parts.addComponent(true, piece));
            all = parts;
        } else {
            all = pieces.isEmpty() ? Unpooled.EMPTY_BUFFER : pieces.getFirst();
        }
        forget();
        return all;
    }

    /** Releases all pieces. */
    public void release() {
        pieces.forEach(ByteBuf::release);
        forget();
    }

    private void forget() {
        pieces.clear();
        bytes = 0;
        open = false;
    }
}

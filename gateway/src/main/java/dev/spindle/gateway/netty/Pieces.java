// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;

/** Bytes of a body that wait, in order. Confined to an event loop. */
final class Pieces {
    /*
     * Pieces-1  Small pieces that follow one another are copied into one buffer, so that what waits costs about as many
     *           bytes as it has, in whatever pieces it came.
     */
    private static final int SMALL = 1 << 10;
    private static final int FULL = 32 << 10;

    private final ArrayDeque<ByteBuf> pieces = new ArrayDeque<>(1);
    private boolean open;
    private int bytes;

    /** Takes over a piece. */
    void add(ByteBuf piece, ByteBufAllocator allocator) {
        int more = piece.readableBytes();
        if (more == 0) {
            piece.release();
            return;
        }
        bytes += more;
        ByteBuf last = pieces.peekLast();
        if (last == null || more > SMALL) {
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

    private ByteBuf join(ByteBuf last, ByteBufAllocator allocator) {
        ByteBuf joined = allocator.buffer();
        if (last.readableBytes() <= SMALL) {
            joined.writeBytes(last);
            pieces.removeLast().release();
        }
        pieces.add(joined);
        return joined;
    }

    boolean isEmpty() {
        return pieces.isEmpty();
    }

    /** Returns how many bytes wait. */
    int bytes() {
        return bytes;
    }

    /** Returns the first piece, which is the caller's. */
    ByteBuf next() {
        ByteBuf first = pieces.remove();
        bytes -= first.readableBytes();
        open &= !pieces.isEmpty();
        return first;
    }

    /** Returns all pieces as one, which is the caller's. */
    ByteBuf all(ByteBufAllocator allocator) {
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

    void release() {
        pieces.forEach(ByteBuf::release);
        forget();
    }

    private void forget() {
        pieces.clear();
        bytes = 0;
        open = false;
    }
}

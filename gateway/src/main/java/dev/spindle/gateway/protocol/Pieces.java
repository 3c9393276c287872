// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

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

    /** The first piece; null if there is none. Most bodies have one piece. */
    private @Nullable ByteBuf first;
    /** The pieces behind the first; null until there is one. */
    private @Nullable ArrayDeque<ByteBuf> more;
    /** True if the last buffer takes copies. */
    private boolean open;

    private int bytes;

    /** Takes over a piece. An empty piece is released. */
    public void add(ByteBuf piece, ByteBufAllocator allocator) {
        int size = piece.readableBytes();
        if (size == 0) {
            piece.release();
            return;
        }
        bytes += size;
        ByteBuf last = last();
        if (last == null || size > SMALL) { // Pieces-1
            append(piece);
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

    private @Nullable ByteBuf last() {
        return more == null || more.isEmpty() ? first : more.getLast();
    }

    private void append(ByteBuf piece) {
        if (first == null) {
            first = piece;
            return;
        }
        if (more == null) {
            more = new ArrayDeque<>();
        }
        more.add(piece);
    }

    /** Returns a new last buffer for copies, which begins with the previous piece if that piece is small. */
    private ByteBuf join(ByteBuf last, ByteBufAllocator allocator) {
        ByteBuf joined = allocator.buffer();
        if (last.readableBytes() <= SMALL) {
            joined.writeBytes(last);
            last.release();
            if (last == first) {
                first = joined;
                return joined;
            }
            requireNonNull(more).removeLast();
        }
        append(joined);
        return joined;
    }

    /** Returns whether no byte waits. */
    public boolean isEmpty() {
        return first == null;
    }

    /** Returns the number of waiting bytes. */
    public int bytes() {
        return bytes;
    }

    /** Returns the first piece, which then belongs to the caller. The queue must not be empty. */
    public ByteBuf next() {
        ByteBuf next = requireNonNull(first);
        first = more == null ? null : more.poll();
        bytes -= next.readableBytes();
        open &= first != null;
        return next;
    }

    /** Returns all pieces as one buffer, which belongs to the caller. No byte waits afterwards. */
    public ByteBuf all(ByteBufAllocator allocator) {
        ByteBuf all = first;
        if (all != null && more != null && !more.isEmpty()) {
            CompositeByteBuf parts = allocator.compositeBuffer(more.size() + 1).addComponent(true, all);
            more.forEach(piece -> parts.addComponent(true, piece));
            all = parts;
        }
        forget();
        return all == null ? Unpooled.EMPTY_BUFFER : all;
    }

    /** Releases all pieces. */
    public void release() {
        if (first != null) {
            first.release();
        }
        if (more != null) {
            more.forEach(ByteBuf::release);
        }
        forget();
    }

    private void forget() {
        first = null;
        more = null;
        bytes = 0;
        open = false;
    }
}

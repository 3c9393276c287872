// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import dev.spindle.gateway.loop.Channels;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of the messages that one end of an HTTP/1.1 connection sends: heads, and bodies with a length or in chunks.
 *
 * <p>Confined to the event loop of the connection. One message is written at a time: {@link #begin}, {@link #endHead},
 * {@link #piece}, and {@link #end} or {@link #finish}. The caller writes the first line and the fields, and decides
 * whether there is a body.
 */
public final class WireWriter {
    /*
     * WireWriter-1  `held` is the only buffer that the channel has not got. It is written before any later buffer, by
     *               flush() and by finish(), and released by release().
     * WireWriter-2  The shared buffer of a thread has one reference, which the thread keeps, or two, of which a message
     *               has the other. Only a message that takes it while there is one reference writes to it.
     */
    /** A number of bytes in which a head with a small body often fits. Not measured. */
    private static final int HEAD = 512;
    /**
     * The maximum bytes of a piece that is copied behind the head, or behind the previous piece. Two buffers in one
     * system call cost more than the copy. Not measured.
     */
    private static final int SMALL = 2 << 10;
    /** The number of bytes at which a buffer of copies is written. Not measured. */
    private static final int FULL = 4 << 10;

    /** The head that is being written, one for each thread: no other head is begun before its end. */
    private static final FastThreadLocal<HeadBytes> HEADS = new FastThreadLocal<>() {
        @Override
        protected HeadBytes initialValue() {
            return new HeadBytes();
        }
    };

    /**
     * A buffer of each thread for the next message. The kernel usually takes a message at once, so the next message
     * gets the same memory, which is in the processor's cache.
     */
    private static final FastThreadLocal<ByteBuf> SHARED = new FastThreadLocal<>() {
        @Override
        protected ByteBuf initialValue() {
            return Unpooled.directBuffer(FULL + 2 * SMALL);
        }

        @Override
        protected void onRemoval(ByteBuf buffer) {
            buffer.release();
        }
    };

    private static final int CR_LF = '\r' << 8 | '\n';

    private final Channel channel;
    /** The bytes that were not written to the channel; null if there are none. */
    private @Nullable ByteBuf held;
    /** True if the body of the message is sent in chunks. */
    private boolean chunked;

    /** Creates the writer of a connection. */
    public WireWriter(Channel channel) {
        this.channel = channel;
    }

    /** Begins a message, and returns the bytes to which the caller adds its first line and its fields. */
    public HeadBytes begin() {
        HeadBytes head = HEADS.get();
        head.clear();
        return head;
    }

    /**
     * Ends the head.
     *
     * @param chunked true if the body is sent in chunks; the head must state this
     */
    public void endHead(boolean chunked) {
        this.chunked = chunked;
        HEADS.get().endLine().writeTo(room());
    }

    /** Takes over a piece of the body. */
    public void piece(ByteBuf piece) {
        int size = piece.readableBytes();
        if (size == 0) { // H1
            piece.release(); // a chunk of no bytes would end the body
            return;
        }
        if (chunked) {
            ByteBuf line = room();
            ByteBufUtil.writeAscii(line, Integer.toHexString(size));
            endLine(line);
        }
        if (size <= SMALL) {
            room().writeBytes(piece);
            piece.release();
        } else {
            writeHeld();
            Channels.write(channel, piece);
        }
        if (chunked) {
            endLine(room());
        }
    }

    /** Ends the body. */
    public void end() {
        if (chunked) {
            ByteBuf last = room();
            last.writeByte('0');
            endLine(last);
            endLine(last);
        }
    }

    /** Ends the body and flushes the message. The future completes when the last byte is written. */
    public ChannelFuture finish() {
        end();
        ByteBuf rest = held;
        held = null;
        return channel.writeAndFlush(rest == null ? Unpooled.EMPTY_BUFFER : rest);
    }

    /** Flushes what was written. */
    public void flush() {
        writeHeld();
        channel.flush();
    }

    /** Returns the number of bytes that the channel has not got. */
    public int held() {
        return held == null ? 0 : held.readableBytes();
    }

    /** Drops the bytes that the channel has not got, since the connection is closed. */
    public void release() {
        ByteBuf left = held;
        if (left != null) {
            held = null;
            left.release();
        }
    }

    /** Returns the buffer for the next bytes. */
    private ByteBuf room() {
        ByteBuf to = held;
        if (to != null && to.readableBytes() >= FULL) {
            writeHeld();
            to = null;
        }
        if (to == null) {
            ByteBuf shared = SHARED.get();
            boolean isFree = shared.refCnt() == 1; // WireWriter-2
            to = isFree ? shared.clear().retain() : channel.alloc().directBuffer(HEAD);
            held = to;
        }
        return to;
    }

    private void writeHeld() {
        ByteBuf to = held;
        if (to != null) {
            held = null;
            Channels.write(channel, to); // WireWriter-1
        }
    }

    private static void endLine(ByteBuf to) {
        ByteBufUtil.writeShortBE(to, CR_LF);
    }
}

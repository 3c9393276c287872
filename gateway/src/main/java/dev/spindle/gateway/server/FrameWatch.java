// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Timeouts;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * A time limit on the heads of an HTTP/2 connection. The limit runs from the first byte of the first frame of a head to
 * the end of the last frame of that head.
 *
 * <p>The limit also applies to all other frames except DATA frames, since bodies have their own limit.
 */
final class FrameWatch extends ChannelInboundHandlerAdapter {
    /*
     * Confined to the event loop. This handler precedes the decoder, which does not pass on an incomplete frame.
     *
     * FrameWatch-1  At the end of each read the limit runs if and only if the preface, a head, or a frame that is not
     *               known to be a DATA frame has begun and not ended. The limit was started in the read that had the
     *               first byte of this preface, head or frame.
     */
    private static final int PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length();
    private static final int FRAME_HEAD = 9;
    private static final int NONE = -1;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int CONTINUATION = 9;
    private static final int END_HEADERS = 4;

    private final ConnectionLoop loop;
    private final Timeouts.Entry limit;
    /** The number of bytes of the preface or of a frame's content that have arrived. */
    private int skipped;
    /** The length of the preface or of a frame's content. */
    private int toSkip = PREFACE;
    /** The number of bytes of a frame's head that have arrived. */
    private int inFrameHead;
    /** The length of the frame, computed from the bytes that have arrived. */
    private int length;
    /** The type of the frame; {@code NONE} before the first frame. */
    private int type = NONE;
    /** True if a frame of a head arrived without the flag that ends the head. */
    private boolean inHead;
    /** True if a frame outside a head began in this read. */
    private boolean another;

    /**
     * Creates the watch of one connection.
     *
     * @param timedOut the action that runs when a head took too long
     */
    FrameWatch(ConnectionLoop loop, Runnable timedOut) {
        this.loop = loop;
        limit = new Timeouts.Entry(timedOut);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof ByteBuf bytes) {
            look(bytes);
        }
        ctx.fireChannelRead(message);
    }

    private void look(ByteBuf bytes) {
        int i = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (i < end) {
            int more = Math.min(toSkip - skipped, end - i);
            skipped += more;
            i += more;
            if (skipped == toSkip && i < end) {
                inFrameHead(bytes.getUnsignedByte(i++));
            }
        }
    }

    private void inFrameHead(int b) {
        if (inFrameHead == 0) {
            another |= !inHead; // FrameWatch-1
            length = b;
        } else if (inFrameHead < 3) {
            length = length << 8 | b;
        } else if (inFrameHead == 3) {
            type = b;
        } else if (inFrameHead == 4 && (type == HEADERS || type == CONTINUATION)) {
            inHead = (b & END_HEADERS) == 0;
        }
        if (++inFrameHead == FRAME_HEAD) {
            inFrameHead = 0;
            skipped = 0;
            toSkip = length;
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!isInHead()) {
            limit.stop();
        } else if (another || !limit.isRunning()) {
            loop.head.start(limit);
        }
        another = false;
        ctx.fireChannelReadComplete();
    }

    private boolean isInHead() {
        boolean inFrame = skipped < toSkip && type != DATA && (type != NONE || skipped > 0);
        return inHead || inFrame || inFrameHead > 0;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        limit.stop();
        ctx.fireChannelInactive();
    }
}

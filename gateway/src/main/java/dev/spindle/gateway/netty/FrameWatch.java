// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Limits the time that a client of HTTP/2 takes for a head, from the first byte of its first frame to the end of its
 * last one, as for a head of HTTP/1.1. The other frames count as well, but for those of bodies, which have a limit of
 * their own.
 */
final class FrameWatch extends ChannelInboundHandlerAdapter {
    /*
     * Confined to the event loop. In front of the decoder, which keeps what is not complete and does not tell.
     *
     * FrameWatch-1  At the end of a reading the limit runs if a head, or what may become one, was begun and not ended,
     *               and else does not. It runs since the first reading that had a part of it.
     */
    private static final int PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length();
    private static final int FRAME_HEAD = 9;
    private static final int NONE = -1;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int CONTINUATION = 9;
    private static final int END_HEADERS = 4;

    private final Loop loop;
    private final Timeouts.Entry limit;
    private int skipped;
    private int toSkip = PREFACE;
    private int inFrameHead;
    private int length;
    private int type = NONE;
    private boolean inHead;
    private boolean another;

    FrameWatch(Loop loop, Runnable timedOut) {
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
            another |= !inHead;
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

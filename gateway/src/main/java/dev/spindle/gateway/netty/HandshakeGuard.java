// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Closes the connection of a client that begins a second handshake, which TLS 1.2 allows: it costs the server more than
 * the client. Looks at the heads of records alone, in front of what decrypts them.
 */
final class HandshakeGuard extends ChannelInboundHandlerAdapter {
    /*
     * Confined to the event loop. The types of records are not encrypted up to TLS 1.2. There a client's handshake ends
     * with a change of the cipher and one record behind it. With TLS 1.3 that change has no meaning, at most one more
     * record follows that says that it is of a handshake, and those that are encrypted say that they are not.
     */
    private static final int RECORD_HEAD = 5;
    private static final int CHANGE_CIPHER = 20;
    private static final int HANDSHAKE = 22;

    private int inHead;
    private int type;
    private int length;
    private int toSkip;
    private boolean changed;
    private int afterChange;
    private boolean closed;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!closed && message instanceof ByteBuf bytes && begins(bytes)) {
            closed = true;
            Channels.close(ctx.channel());
        }
        if (closed) {
            ReferenceCountUtil.release(message);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    /** Returns whether the bytes begin another handshake. */
    private boolean begins(ByteBuf bytes) {
        int i = bytes.readerIndex();
        int end = bytes.writerIndex();
        while (i < end) {
            int skipped = Math.min(toSkip, end - i);
            toSkip -= skipped;
            i += skipped;
            if (i < end && inHead(bytes.getUnsignedByte(i++))) {
                return true;
            }
        }
        return false;
    }

    private boolean inHead(int b) {
        if (inHead == 0) {
            type = b;
        } else if (inHead >= 3) {
            length = (inHead == 3 ? 0 : length << 8) | b;
        }
        if (++inHead < RECORD_HEAD) {
            return false;
        }
        inHead = 0;
        toSkip = length;
        changed |= type == CHANGE_CIPHER;
        return changed && type == HANDSHAKE && ++afterChange > 1;
    }
}

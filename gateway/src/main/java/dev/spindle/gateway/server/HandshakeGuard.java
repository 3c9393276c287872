// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.loop.Channels;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * A handler that closes the connection of a client that begins a second handshake. TLS 1.2 permits further handshakes,
 * but each handshake costs the server more than the client.
 *
 * <p>This handler precedes the SslHandler, and checks only the heads of records.
 */
final class HandshakeGuard extends ChannelInboundHandlerAdapter {
    /*
     * Confined to the event loop of its connection.
     *
     * Up to TLS 1.2 the types of records are not encrypted. A client's handshake ends with a change of the cipher
     * followed by one handshake record; any later handshake record begins another handshake. With TLS 1.3 a change of
     * the cipher has no meaning. At most one record after the change has the handshake type, since encrypted records
     * have another type.
     */
    private static final int RECORD_HEAD = 5;
    private static final int CHANGE_CIPHER = 20;
    private static final int HANDSHAKE = 22;

    /** The number of bytes of a record's head that have arrived. */
    private int inHead;
    /** The type of the record. */
    private int type;
    /** The length of the record, computed from the bytes that have arrived. */
    private int length;
    /** The number of bytes of the record that have not arrived. */
    private int toSkip;
    /** True if the cipher was changed. */
    private boolean changed;
    /** The number of handshake records since the change. */
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

    /** Takes a byte of the head of a record, and returns whether the record begins another handshake. */
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
        return changed && type == HANDSHAKE && ++afterChange > 1; // H4
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.loop.Channels;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Timeouts;
import dev.spindle.gateway.loop.Transport;
import dev.spindle.gateway.protocol.ProxyHeader;
import dev.spindle.gateway.protocol.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Waits for the header of the PROXY protocol with which a trusted proxy begins a connection, and then adds the handlers
 * of the protocol. Without a header the connection is closed: its bytes could be those of any client.
 */
final class ProxyHeaderHandler extends ByteToMessageDecoder implements ConnectionLoop.Drainable {
    private final GatewayState gateway;
    private final ConnectionLoop loop;
    private final Channel channel;
    private final Runnable next;
    private final Timeouts.Entry limit = new Timeouts.Entry(this::timedOut);
    /** True if a byte has arrived, so that the time limit of a head runs. */
    private boolean begun;

    /**
     * Creates the handler.
     *
     * @param next adds the handlers that follow
     */
    ProxyHeaderHandler(GatewayState gateway, ConnectionLoop loop, Channel channel, Runnable next) {
        this.gateway = gateway;
        this.loop = loop;
        this.channel = channel;
        this.next = next;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        loop.idle.start(limit);
        loop.connections.add(this);
        if (loop.closesIdle) {
            cutOff();
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        limit.stop();
        loop.connections.remove(this);
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        try {
            ProxyHeader header = ProxyHeader.read(in);
            if (header == null) {
                if (!begun) {
                    begun = true;
                    loop.head.start(limit);
                }
                return;
            }
            if (header.client() != null) {
                Transport.client(channel, header.client());
            }
            next.run();
            ctx.pipeline().remove(this); // the removal passes the bytes that follow to the next handler
        } catch (Refusal refusal) {
            gateway.refused(Transport.host(channel), null, refusal);
            in.skipBytes(in.readableBytes());
            cutOff();
        }
    }

    private void timedOut() {
        if (begun) {
            gateway.refused(Transport.host(channel), null, new Refusal(408, "the PROXY header took too long"));
        }
        cutOff();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        cutOff();
    }

    @Override
    public void drain() {
        if (!begun) {
            cutOff();
        }
    }

    @Override
    public boolean isBusy() {
        return false;
    }

    @Override
    public void cutOff() {
        Channels.close(channel);
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/** A connection to a backend, and the call that it is busy with. See {@link ConnectionPool} for its states. */
final class BackendConnection extends ChannelInboundHandlerAdapter {
    private final ConnectionPool pool;
    private final Channel channel;
    private final CallEncoder encoder;
    private final StrictResponseDecoder decoder;
    private @Nullable BackendCall call;
    private @Nullable String lossReason;
    private boolean wasOpened;
    private boolean wasUsed;
    private boolean answered;
    private boolean informational;
    private boolean keepAlive;
    private boolean toHead;
    private boolean untilClose;
    private boolean saidEnd;

    // in the idle list of the pool
    @Nullable
    BackendConnection older;

    @Nullable
    BackendConnection younger;

    final Timeouts.Entry idleLimit = new Timeouts.Entry(this::close);
    boolean isIdle;
    /** Calls that it served one after another while another loop wanted its place. */
    int turns;

    BackendConnection(ConnectionPool pool, Channel channel, CallEncoder encoder, StrictResponseDecoder decoder) {
        this.pool = pool;
        this.channel = channel;
        this.encoder = encoder;
        this.decoder = decoder;
    }

    /** The connection is there; with TLS, its handshake is still to come, and writes wait for it. */
    void opened() {
        wasOpened = true;
        pool.available(this);
    }

    boolean isUsable() {
        return channel.isActive();
    }

    boolean wasUsed() {
        return wasUsed;
    }

    Channel channel() {
        return channel;
    }

    /** Begins a call: what is read from now on is its answer. */
    void begin(BackendCall of, boolean head) {
        call = of;
        wasUsed = true;
        answered = false;
        informational = false;
        toHead = head;
        encoder.begin(of);
        decoder.answersHead(head);
    }

    /** Stops or goes on reading. */
    void reads(boolean on) {
        if (channel.config().isAutoRead() != on) {
            channel.config().setAutoRead(on);
        }
    }

    void close() {
        Channels.close(channel);
    }

    /** Ends the call without its answer. */
    void abandon() {
        call = null;
        close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        BackendCall of = call;
        if (of == null || answered) {
            ReferenceCountUtil.release(message);
            lossReason = "it sent what nobody asked for";
            close();
            return;
        }
        if (message instanceof HttpResponse response) {
            head(of, response);
        }
        if (message instanceof HttpContent content && call != null) {
            if (informational) {
                informational = !(content instanceof LastHttpContent);
                content.release();
                return;
            }
            if (content.decoderResult().isFailure()) {
                content.release();
                broken(
                        of,
                        "a malformed answer: "
                                + Reasons.of(content.decoderResult().cause()));
                return;
            }
            boolean last = content instanceof LastHttpContent;
            if (last && untilClose && !wasEnded(of)) {
                content.release();
                call = null;
                close();
                of.cutOff("its answer was cut off" + (lossReason == null ? "" : ": " + lossReason));
                return;
            }
            answered = last;
            of.content(content.content(), last);
        }
    }

    /** Returns whether the end of the connection is one that the backend meant, and so that of the answer. */
    private boolean wasEnded(BackendCall of) {
        return lossReason == null && of.isSent() && (!pool.isSecure() || saidEnd);
    }

    private void head(BackendCall of, HttpResponse response) {
        boolean framed;
        try {
            RequestRules.decoded(response);
            framed = RequestRules.checkFraming(response, 502);
        } catch (Refusal refusal) {
            broken(of, "a malformed answer: " + refusal.reason());
            return;
        }
        int status = response.status().code();
        if (status == 101 || status < 100 || status > 599) {
            broken(of, "the status " + status + ", which nobody asked for");
            return;
        }
        informational = status < 200;
        if (!informational) {
            // without a length, the end of an answer with a body is that of the connection
            untilClose = !(framed || toHead || status == 204 || status == 304);
            keepAlive = HttpUtil.isKeepAlive(response) && !untilClose;
            of.head(response);
        }
    }

    private void broken(BackendCall of, String reason) {
        call = null;
        close();
        of.lost(reason, false);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        BackendCall of = call;
        if (of == null) {
            if (!decoder.isBetweenAnswers()) {
                close(); // the beginning of an answer that nobody asked for
            }
            return;
        }
        if (!answered) {
            of.flush();
            return;
        }
        call = null;
        reads(true);
        if (keepAlive && of.isSent() && decoder.isBetweenAnswers() && channel.isActive()) {
            pool.available(this);
        } else {
            close();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (call != null && channel.isWritable()) {
            call.writable();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent done && !done.isSuccess()) {
            lossReason = Reasons.of(done.cause());
            close();
        }
        if (event instanceof SslCloseCompletionEvent end && end.isSuccess()) {
            saidEnd = true;
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        lossReason = Reasons.of(cause);
        close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        BackendCall of = call;
        call = null;
        if (wasOpened) {
            wasOpened = false;
            pool.closed(this);
        }
        if (of != null && !answered) {
            of.lost(lossReason == null ? "it closed the connection" : lossReason, true);
        }
    }
}

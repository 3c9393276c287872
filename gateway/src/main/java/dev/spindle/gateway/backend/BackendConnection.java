// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.loop.Channels;
import dev.spindle.gateway.loop.Timeouts;
import dev.spindle.gateway.protocol.FailureText;
import dev.spindle.gateway.protocol.Refusal;
import dev.spindle.gateway.protocol.RequestRules;
import dev.spindle.gateway.protocol.StrictResponseDecoder;
import dev.spindle.gateway.protocol.WireWriter;
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

/**
 * A connection to a backend, and the call that uses it.
 *
 * <p>Confined to the event loop of its pool; {@link ConnectionPool} describes the states. The connection belongs to the
 * pool while it is idle, and otherwise to its call. The connection ends when the channel becomes inactive; the end is
 * reported once to the pool and to the call.
 */
final class BackendConnection extends ChannelInboundHandlerAdapter {
    /*
     * This connection ends a call in one of three ways:
     *   complete    the last content has arrived              the connection returns to the pool, or is closed
     *   lost        the connection was closed too early       the call may use another connection
     *   malformed   the answer violates HTTP                  the connection is closed, and the call fails
     *
     * `lossReason` is set before the channel is closed, since the close event has no cause.
     */
    private final ConnectionPool pool;
    private final Channel channel;
    private final WireWriter output;
    private final StrictResponseDecoder decoder;
    /** The call that uses this connection; null if there is none. */
    private @Nullable BackendCall call;
    /** The reason for which the connection is being closed, if known. */
    private @Nullable String lossReason;
    /** True if the pool counts the connection as open. */
    private boolean wasOpened;
    /** True if a call has begun on this connection. */
    private boolean wasUsed;
    /** True if the answer to the call is complete. */
    private boolean answered;
    /** True if the last head has a status of 1xx, so that the answer is still to come. */
    private boolean informational;
    /** True if the connection may be kept after this answer. */
    private boolean keepAlive;
    /** True if the call is a HEAD, whose answer has no body. */
    private boolean toHead;
    /** True if the end of the connection ends the answer. */
    private boolean untilClose;
    /** True if the backend has sent the closing message of TLS. */
    private boolean saidEnd;

    // links of the pool's idle list
    @Nullable
    BackendConnection older;

    @Nullable
    BackendConnection younger;

    final Timeouts.Entry idleLimit = new Timeouts.Entry(this::close);
    /** True if this connection is in the idle list. */
    boolean isIdle;
    /** The number of calls after which another loop wanted a place while further calls of this pool waited. */
    int turns;

    BackendConnection(ConnectionPool pool, Channel channel, StrictResponseDecoder decoder) {
        this.pool = pool;
        this.channel = channel;
        output = new WireWriter(channel);
        this.decoder = decoder;
    }

    /**
     * Called when the connection is established. With TLS, the handshake follows, and writes are queued until the
     * handshake ends.
     */
    void opened() {
        wasOpened = true;
        pool.available(this);
    }

    /** Returns whether the channel is open; a close by the backend may not have been noticed yet. */
    boolean isUsable() {
        return channel.isActive();
    }

    /** Returns whether a call has begun on this connection. */
    boolean wasUsed() {
        return wasUsed;
    }

    Channel channel() {
        return channel;
    }

    /** Returns the writer of the calls. */
    WireWriter output() {
        return output;
    }

    /**
     * Begins a call: bytes read from now on belong to its answer.
     *
     * @param head true if the call is a HEAD
     */
    void begin(BackendCall of, boolean head) {
        call = of;
        wasUsed = true;
        answered = false;
        informational = false;
        toHead = head;
        decoder.answersHead(head);
    }

    /** Stops or continues reading; reading stops while the client does not take the answer. */
    void reads(boolean on) {
        if (channel.config().isAutoRead() != on) {
            channel.config().setAutoRead(on);
        }
    }

    /** Closes the connection, and reports the loss to its call, if any. */
    void close() {
        Channels.close(channel);
    }

    /** Ends the call without its answer. The connection is closed, since the rest of the answer may still come. */
    void abandon() {
        call = null;
        close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        BackendCall of = call;
        if (of == null || answered) {
            ReferenceCountUtil.release(message);
            lossReason = "it sent an answer without a request";
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
                                + FailureText.of(content.decoderResult().cause()));
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

    /**
     * Returns whether an orderly close by the backend ended the answer: the request was sent, nothing failed, and a TLS
     * connection got the closing message of TLS.
     */
    private boolean wasEnded(BackendCall of) {
        return lossReason == null && of.isSent() && (!pool.isSecure() || saidEnd);
    }

    /** Checks the head of an answer. */
    private void head(BackendCall of, HttpResponse response) {
        pool.loop().atHead();
        try {
            RequestRules.decoded(response);
        } catch (Refusal refusal) {
            broken(of, "a malformed answer: " + refusal.reason());
            return;
        }
        int status = response.status().code();
        if (status == 101 || status > 599) {
            broken(of, "the status " + status + ", which no request allows");
            return;
        }
        informational = status < 200;
        if (!informational) {
            untilClose = !(toHead || status == 204 || status == 304 || RequestRules.statesEnd(response));
            keepAlive = HttpUtil.isKeepAlive(response) && !untilClose;
            of.head(response);
        }
    }

    /** Closes the connection after an answer that violates HTTP. */
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
                close(); // bytes have arrived without a request
            }
            return;
        }
        if (!answered) {
            of.flush();
            return;
        }
        call = null; // cleared first, since the pool may begin another call at once
        reads(true);
        if (keepAlive && of.isSent() && decoder.isBetweenAnswers() && channel.isActive()) { // ConnectionPool-4
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
            lossReason = FailureText.of(done.cause());
            close();
        }
        if (event instanceof SslCloseCompletionEvent end && end.isSuccess()) {
            saidEnd = true;
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        lossReason = FailureText.of(cause);
        close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        BackendCall of = call;
        call = null;
        output.release();
        if (wasOpened) {
            wasOpened = false;
            pool.closed(this);
        }
        if (of != null && !answered) {
            of.lost(lossReason == null ? "it closed the connection" : lossReason, true);
        }
    }
}

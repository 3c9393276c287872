// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.loop.Channels;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Timeouts;
import dev.spindle.gateway.protocol.Refusal;
import dev.spindle.gateway.protocol.RequestRules;
import dev.spindle.gateway.protocol.StrictRequestDecoder;
import dev.spindle.gateway.protocol.Target;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * The handler of the requests of an HTTP/1.1 connection, one after another, or of the one request of an HTTP/2 stream.
 *
 * <p>The handler passes the parts of a request to the {@link Exchange} of that request, holds back the messages of
 * later requests, and writes the answers. Answers keep the order of the requests.
 */
final class ServerHandler extends ChannelInboundHandlerAdapter implements ConnectionLoop.Drainable {
    /*
     * Confined to the event loop.
     *
     *   READY      waits for a head                  -> OPEN, CLOSED
     *   OPEN       a request is read or answered     -> READY, LINGERING, CLOSED
     *   LINGERING  input is discarded                -> CLOSED  the client has closed, or a time limit has passed
     *
     * Without LINGERING, the kernel could reset a connection with unread bytes, and the client could lose the answer.
     *
     * ServerHandler-1  At OPEN there is one request, `current` or a refused request, until the last byte of its answer
     *                  is written to the socket. Messages of later requests wait in `pending`, and the client is not
     *                  read while a message waits.
     * ServerHandler-2  The read limit runs at READY (idle or head), at OPEN while a piece of a body is awaited and this
     *                  handler does not stop reading, and at LINGERING. The write limit runs while bytes of an answer
     *                  wait for the client (WriteWatch-1).
     * ServerHandler-3  After a refusal of malformed bytes, later bytes are not read as requests.
     */
    private enum At {
        READY,
        OPEN,
        LINGERING,
        CLOSED
    }

    private final GatewayState gateway;
    private final ConnectionLoop loop;
    private final Channel channel;
    private final AnswerWriter writer;
    private final WriteWatch watch;
    /** The decoder of HTTP/1.1; null for a stream. */
    private final @Nullable StrictRequestDecoder decoder;
    /** The connection of a stream; null for HTTP/1.1. */
    private final @Nullable Http2 parent;
    /** The window of a stream; null for HTTP/1.1. */
    private final @Nullable StreamWindow window;
    /** The identity of the connection, for the order of its streams. */
    private final Object connectionId;

    private final Peer peer;
    private final Timeouts.Entry readLimit = new Timeouts.Entry(this::readTimedOut);
    private final PendingMessages pending;
    /** Calls {@link #readsChanged}; the same object for all requests. */
    final Runnable onReadsChanged = this::readsChanged;

    private At at = At.READY;
    /** The request under way; null if there is none, or if the request was refused. */
    private @Nullable Exchange current;
    /** False from the head of a request until the last byte of the request has arrived. */
    private boolean requestComplete = true;
    /** True if the limit of a head was started for the next request. */
    private boolean headTimed;
    /** True while pending messages are being taken, so that the end of a request does not begin to take them again. */
    private boolean takingPending;

    private boolean reading = true;

    /** Creates the handler of an HTTP/1.1 connection. */
    ServerHandler(
            GatewayState gateway, ConnectionLoop loop, Channel channel, StrictRequestDecoder decoder, boolean secure) {
        this(gateway, loop, channel, decoder, null, null, secure);
    }

    /** Creates the handler of a stream of {@code parent}. */
    ServerHandler(
            GatewayState gateway,
            ConnectionLoop loop,
            Channel stream,
            Http2 parent,
            StreamWindow window,
            boolean secure) {
        this(gateway, loop, stream, null, parent, window, secure);
        parent.opened(stream, this, watch);
    }

    private ServerHandler(
            GatewayState gateway,
            ConnectionLoop loop,
            Channel channel,
            @Nullable StrictRequestDecoder decoder,
            @Nullable Http2 parent,
            @Nullable StreamWindow window,
            boolean secure) {
        this.gateway = gateway;
        this.loop = loop;
        this.channel = channel;
        this.decoder = decoder;
        this.parent = parent;
        this.window = window;
        connectionId = decoder == null ? channel.parent().id() : channel.id();
        peer = Peer.of(decoder == null ? channel.parent() : channel, secure, gateway.proxies);
        pending = new PendingMessages(gateway.memory, loop);
        watch = new WriteWatch(gateway.memory, loop, channel, decoder == null, this::cutOff);
        writer = new AnswerWriter(channel, decoder == null, gateway::isDraining, watch);
    }

    // ---------------------------------------------------------------- for the exchange

    ConnectionLoop loop() {
        return loop;
    }

    ByteBufAllocator allocator() {
        return channel.alloc();
    }

    boolean isStream() {
        return decoder == null;
    }

    Object connectionId() {
        return connectionId;
    }

    Peer peer() {
        return peer;
    }

    // ---------------------------------------------------------------- reading

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        loop.connections.add(this);
        if (decoder != null) {
            loop.idle.start(readLimit);
            if (loop.closesIdle && channel.isActive()) {
                close();
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (at == At.LINGERING || at == At.CLOSED) { // ServerHandler-3
            ReferenceCountUtil.release(message);
        } else if (!pending.isEmpty() || (at == At.OPEN && requestComplete)) { // ServerHandler-1
            wait(message);
        } else {
            take(message);
        }
    }

    /** Holds back a message of a later request, and stops reading. Closes the connection if memory is short. */
    private void wait(Object message) {
        pending.add(message);
        readsChanged();
        if (!pending.charge(message)) {
            close();
        }
    }

    /** Begins a request with a head, or passes content to the request; content outside a request is released. */
    private void take(Object message) {
        if (message instanceof HttpRequest request) {
            begin(request);
        }
        if (!(message instanceof HttpContent content)) {
            return;
        }
        if (at != At.OPEN) {
            content.release();
            return;
        }
        if (content.decoderResult().isFailure()) {
            content.release();
            Refusal refusal = RequestRules.of(content.decoderResult().cause());
            if (current != null) {
                current.answer(refusal.status(), refusal.reason());
            } else {
                close();
            }
            return;
        }
        boolean last = content instanceof LastHttpContent;
        requestComplete |= last;
        if (current != null) {
            current.content(content.content(), last);
        } else {
            content.release();
            if (last) {
                answered();
            }
        }
    }

    /** Begins a request, or refuses the request with an answer. */
    private void begin(HttpRequest request) {
        // OPEN before any answer, since answered() acts only at OPEN and may be called within this method
        at = At.OPEN;
        requestComplete = false;
        headTimed = false;
        loop.atHead();
        readLimit.stop();
        watch.covered(0);
        writer.begin(request);
        try {
            RequestRules.check(request);
            open(request);
        } catch (Refusal refusal) {
            if (RequestRules.endsConnection(request, refusal)
                    || request.decoderResult().isFailure()
                    || Target.saysBody(request)) {
                writer.closes();
            }
            gateway.refused(peer.client(request), request, refusal);
            writeOwn(refusal.status(), refusal.reason());
            answered();
        }
    }

    /** Starts the exchange of a request; throws a {@link Refusal} if the gateway does not admit the request. */
    private void open(HttpRequest request) throws Refusal {
        Admission admission = gateway.admit(request, peer);
        try {
            if (HttpUtil.is100ContinueExpected(request)) {
                writer.goOn();
            }
            current = new Exchange(gateway, this, request, admission);
        } finally {
            if (current == null) {
                gateway.giveUp(admission);
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        readComplete();
    }

    private void readComplete() {
        Exchange open = current;
        if (open != null) {
            open.readComplete();
        }
        openWindow();
        limitReading();
    }

    /** Starts or stops the read limit, as the state requires (ServerHandler-2). */
    private void limitReading() {
        if (at == At.OPEN) {
            boolean awaited = !requestComplete && (current == null || !current.isUploadPaused()); // ServerHandler-2
            if (awaited) {
                loop.body.start(readLimit);
            } else {
                readLimit.stop();
            }
        } else if (at == At.READY && decoder != null) {
            if (!decoder.isInHead()) {
                headTimed = false;
                loop.idle.start(readLimit);
            } else if (!headTimed) {
                headTimed = true;
                loop.head.start(readLimit);
            }
        }
    }

    /** Called when the read limit has passed: answers a request or a begun head with 408, or closes the connection. */
    private void readTimedOut() {
        if (at == At.OPEN && current != null) {
            current.bodyTimedOut();
        } else if (at == At.READY && decoder != null && decoder.isInHead()) {
            at = At.OPEN;
            requestComplete = false;
            writer.beginWithoutHead();
            gateway.refused(peer.host(), null, new Refusal(408, "the head took too long"));
            writeOwn(408, "the head took too long");
            answered();
        } else {
            close();
        }
    }

    /** Starts or stops reading from the client, as the state requires. */
    private void readsChanged() {
        boolean reads = pending.isEmpty() && (current == null || !current.isUploadPaused());
        if (reads != reading) {
            reading = reads;
            if (window == null) {
                channel.config().setAutoRead(reads);
            } else {
                openWindow();
            }
            limitReading();
        }
    }

    /** Allows the client of a stream to send further bytes, unless reading is stopped. */
    private void openWindow() {
        if (window != null && reading) {
            window.open();
        }
    }

    // ---------------------------------------------------------------- writing

    /** Writes the head of an answer whose body follows in pieces; a length of -1 means unknown. */
    void writeHead(int status, HttpHeaders headers, long length) {
        beforeHead();
        writer.head(status, headers, length);
    }

    /** Prepares a head. The answer to an incomplete request is the last of its connection. */
    private void beforeHead() {
        watch.covered(current == null ? 0 : current.held());
        if (!requestComplete) {
            writer.closes();
        }
    }

    /** Takes over and writes a piece of the body. Returns false if the next piece should wait. */
    boolean writePiece(ByteBuf piece) {
        writer.piece(piece);
        return channel.isWritable();
    }

    /** Flushes the written bytes. Returns false if the client does not take all of them now. */
    boolean flush() {
        writer.flush();
        look();
        return watch.isNothingWaiting();
    }

    private void look() {
        watch.look();
        if (parent != null) {
            parent.look();
        }
    }

    void writeLast() {
        writer.last();
    }

    /** Writes a whole answer, whose body is taken over. */
    void writeWhole(int status, HttpHeaders headers, ByteBuf body) {
        beforeHead();
        writer.whole(status, headers, body);
    }

    /** Writes an answer of the gateway itself. The reason is for the log; the client gets only the status. */
    void writeOwn(int status, String reason) {
        if (current != null) {
            beforeHead();
        }
        writer.own(status);
    }

    /** Runs {@code action} when the answer is written or has failed; returns false if the action has run already. */
    boolean whenWritten(Runnable action) {
        if (writer.isWritten()) {
            action.run();
            return false;
        }
        look();
        writer.whenWritten(action);
        return true;
    }

    boolean hasFailed() {
        return writer.hasFailed();
    }

    /** Ends an answer that cannot be completed; {@code reset} is true if the backend has reset its connection. */
    void cut(boolean reset) {
        at = At.CLOSED;
        if (isStream()) {
            resetStream();
        } else if (reset || writer.isEndedByClosing()) {
            Channels.reset(channel);
        } else if (watch.isNothingWaiting()) {
            close();
        } else {
            Channels.drop(channel); // an orderly end of TLS would wait behind bytes that the client does not take
        }
    }

    /** Resets the stream. An ordinary close would wait until flow control lets the rest of the answer through. */
    private void resetStream() {
        Channels.writeAndFlush(channel, new DefaultHttp2ResetFrame(Http2Error.CANCEL)); // H4
        close();
    }

    /** Ends the connection or stream of a client that does not read; see {@link WriteWatch.Cut}. */
    private void cutOff(String reason, boolean forMemory) {
        if (isStream()) {
            resetStream();
        } else if (writer.isEndedByClosing()) {
            Channels.reset(channel);
        } else {
            Channels.drop(channel);
        }
        connectionCutOff(reason);
        if (parent != null) {
            parent.streamCutOff(forMemory);
        }
    }

    /** Cuts off the request and releases all memory at once, since the channel is being closed. */
    void connectionCutOff(String reason) {
        at = At.CLOSED;
        watch.stop();
        pending.release();
        Exchange open = current;
        if (open != null) {
            open.cutOff(reason);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        look();
        if (channel.isWritable() && current != null) {
            current.resume();
        }
    }

    // ---------------------------------------------------------------- the end of requests

    /** Called when an exchange has ended, with or without a complete answer. */
    void exchangeEnded(Exchange ended) {
        if (current == ended) {
            current = null;
            answered();
        }
    }

    /** Called when the answer is complete or was cut off; the next step follows when the last byte is written. */
    private void answered() {
        if (at == At.OPEN) {
            boolean unused = whenWritten(this::answeredAndWritten);
        }
    }

    /** Continues with the next request, or ends the connection or stream. */
    private void answeredAndWritten() {
        if (at != At.OPEN || current != null || !writer.isWritten()) {
            return;
        }
        if (writer.hasFailed()) {
            close();
            return;
        }
        // A stream ends early if its request is incomplete. A connection ends if this answer is its last; otherwise the
        // connection is ready when this request is complete.
        if (isStream()) {
            if (!requestComplete) {
                writer.whenWritten(this::endStream);
            }
        } else if (writer.isClosing()) {
            endConnection();
        } else if (requestComplete) {
            ready();
        }
    }

    /**
     * Tells the client of a stream to send no further bytes. With any code other than NO_ERROR the client would drop
     * the answer.
     */
    private void endStream() {
        Channels.writeAndFlush(channel, new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
        close();
    }

    /** Closes the connection. If a request is incomplete or messages wait, input is first discarded for a time. */
    private void endConnection() {
        boolean unread = !requestComplete || !pending.isEmpty();
        at = At.LINGERING; // set before reading continues, so that later bytes are dropped
        pending.release();
        if (!unread) {
            writer.whenWritten(this::close);
            return;
        }
        readsChanged();
        loop.linger.start(readLimit);
        writer.whenWritten(() -> {
            if (!peer.secure() && channel instanceof DuplexChannel duplex && channel.isActive()) {
                var unused = duplex.shutdownOutput();
            }
        });
    }

    /** Moves to READY, and takes the waiting messages, one request after another. */
    private void ready() {
        at = At.READY;
        watch.look();
        requestComplete = true;
        if (takingPending) {
            return; // an outer call of this method takes the next message in its loop
        }
        takingPending = true;
        boolean took = false;
        while (!pending.isEmpty() && (at == At.READY || (at == At.OPEN && !requestComplete))) {
            took = true;
            take(pending.remove());
        }
        takingPending = false;
        pending.settle();
        if (loop.closesIdle) {
            drain(); // after the loop, since drain() does nothing while messages wait
        }
        readsChanged();
        if (took) {
            readComplete();
        } else {
            limitReading();
        }
    }

    private void close() {
        Channels.close(channel);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        at = At.CLOSED;
        readLimit.stop();
        watch.stop();
        writer.release();
        pending.release();
        loop.connections.remove(this);
        if (parent != null) {
            parent.closed(this);
        }
        Exchange open = current;
        if (open != null) {
            open.clientGone();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        close();
    }

    @Override
    public void drain() {
        if (at == At.READY && pending.isEmpty() && (decoder == null || !decoder.isInHead())) {
            close();
        }
    }

    @Override
    public boolean isBusy() {
        return current != null;
    }

    @Override
    public void cutOff() {
        close();
    }
}

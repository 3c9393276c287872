// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.flow.Deadline;
import dev.spindle.flow.Permit;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Reads the requests of an HTTP/1.1 connection one after another, or the one of an HTTP/2 stream. */
final class ServerHandler extends ChannelInboundHandlerAdapter implements Loop.Drainable {
    /*
     * Confined to the event loop.
     *
     *   READY (for a head) -> OPEN (a request is read or answered) -> READY | LINGERING (the answer was the
     *   last) | CLOSED
     *   LINGERING -> CLOSED, when the client has closed or after a while: closing with bytes unread would make the
     *                kernel take the answer back
     *   each -> CLOSED
     *
     * Server-1  At OPEN there is one request: `current`, or one that was refused and whose end is awaited. It is OPEN
     *           until the last byte of its answer was written to the socket. What is decoded of later ones waits in
     *           `pending`, and while something waits the client is not read. So requests of a connection are answered
     *           in their order, and a client has one answer that it does not read.
     * Server-2  The read limit runs at READY (idle or head), while a body is awaited and not held up by us, and at
     *           LINGERING; the write limit while bytes of an answer wait for the client (WriteWatch).
     * Server-3  After a refusal for what the bytes are, nothing that follows is looked at.
     */
    private enum At {
        READY,
        OPEN,
        LINGERING,
        CLOSED
    }

    /** About what a message costs that waits, besides its content. */
    private static final int WAITING_COST = 1 << 10;

    private final Core core;
    private final Loop loop;
    private final Channel channel;
    private final AnswerWriter writer;
    private final WriteWatch watch;
    private final @Nullable StrictRequestDecoder decoder;
    private final @Nullable Http2 parent;
    private final @Nullable StreamWindow window;
    private final Object connectionId;
    private final String peer;
    private final boolean secure;
    private final Timeouts.Entry readLimit = new Timeouts.Entry(this::readTimedOut);
    private final ArrayDeque<Object> pending = new ArrayDeque<>(0);
    private At at = At.READY;
    private @Nullable Exchange current;
    private boolean requestComplete = true;
    private boolean headTimed;
    private boolean takingPending;
    private boolean reading = true;
    private long pendingCost;

    /** Creates the handler of an HTTP/1.1 connection. */
    ServerHandler(Core core, Loop loop, Channel channel, StrictRequestDecoder decoder, boolean secure) {
        this(core, loop, channel, decoder, null, null, secure);
    }

    /** Creates the handler of a stream of {@code parent}. */
    ServerHandler(Core core, Loop loop, Channel stream, Http2 parent, StreamWindow window, boolean secure) {
        this(core, loop, stream, null, parent, window, secure);
        parent.opened(stream, this, watch);
    }

    private ServerHandler(
            Core core,
            Loop loop,
            Channel channel,
            @Nullable StrictRequestDecoder decoder,
            @Nullable Http2 parent,
            @Nullable StreamWindow window,
            boolean secure) {
        this.core = core;
        this.loop = loop;
        this.channel = channel;
        this.decoder = decoder;
        this.parent = parent;
        this.window = window;
        this.secure = secure;
        connectionId = decoder == null ? channel.parent().id() : channel.id();
        peer = Transport.host(decoder == null ? channel.parent() : channel);
        watch = new WriteWatch(core.memory, loop, channel, decoder == null, this::cutOff);
        writer = new AnswerWriter(channel, decoder == null, core::isDraining, watch);
    }

    // ---------------------------------------------------------------- what exchanges ask

    Loop loop() {
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

    String peer() {
        return peer;
    }

    String scheme() {
        return secure ? "https" : "http";
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
        if (at == At.LINGERING || at == At.CLOSED) {
            ReferenceCountUtil.release(message);
        } else if (!pending.isEmpty() || (at == At.OPEN && requestComplete)) {
            wait(message);
        } else {
            take(message);
        }
    }

    private void wait(Object message) {
        pending.add(message);
        readsChanged();
        int cost = message instanceof HttpContent content ? content.content().readableBytes() : 0;
        pendingCost += cost + WAITING_COST;
        if (!core.memory.take(loop, cost + WAITING_COST)) {
            close();
        }
    }

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

    private void begin(HttpRequest request) {
        at = At.OPEN;
        requestComplete = false;
        headTimed = false;
        readLimit.stop();
        watch.covered(0);
        writer.begin(request);
        try {
            RequestRules.check(request, isStream());
            open(request);
        } catch (Refusal refusal) {
            if (RequestRules.endsConnection(request, refusal)
                    || request.decoderResult().isFailure()
                    || Target.saysBody(request)) {
                writer.closes();
            }
            core.refused(peer, request, refusal);
            writeOwn(refusal.status(), refusal.reason());
            answered();
        }
    }

    private void open(HttpRequest request) throws Refusal {
        Target target = Target.of(request);
        Route route = core.routing().find(target.path());
        if (route == null) {
            throw new Refusal(404, "no route for " + target.path());
        }
        if (HttpUtil.getContentLength(request, 0L) > route.mostBody) {
            throw new Refusal(413, "a body of more than " + route.mostBody + " bytes");
        }
        Deadline deadline = core.deadlines.read(request.headers(), route.config.limit());
        if (deadline.isUsedUp()) {
            throw new Refusal(504, "nothing is left of the client's time limit");
        }
        if (!core.memory.hasRoom()) {
            core.metrics.shed.increment();
            throw new Refusal(503, "as many bytes of bodies and answers are held as may be");
        }
        Permit permit = core.tryEnter();
        if (permit == null) {
            throw new Refusal(503, "as many requests are under way as may be");
        }
        try {
            if (HttpUtil.is100ContinueExpected(request)) {
                Channels.writeAndFlush(
                        channel,
                        new DefaultFullHttpResponse(
                                HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
            }
            current = new Exchange(core, this, route, request, target, deadline, permit);
        } finally {
            if (current == null) {
                boolean unused = permit.ignore();
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

    /** Sets the read limit that the state asks for (Server-2). */
    private void limitReading() {
        if (at == At.OPEN) {
            boolean awaited = !requestComplete && (current == null || !current.isUploadPaused());
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

    private void readTimedOut() {
        if (at == At.OPEN && current != null) {
            current.bodyTimedOut();
        } else if (at == At.READY && decoder != null && decoder.isInHead()) {
            at = At.OPEN;
            requestComplete = false;
            writer.beginWithoutHead();
            core.refused(peer, null, new Refusal(408, "the head took too long"));
            writeOwn(408, "the head took too long");
            answered();
        } else {
            close();
        }
    }

    /** Reads from the client or not, as the state is now. */
    void readsChanged() {
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

    private void openWindow() {
        if (window != null && reading) {
            window.open();
        }
    }

    // ---------------------------------------------------------------- writing

    void writeHead(int status, HttpHeaders headers, long length) {
        beforeHead();
        writer.head(status, headers, length);
    }

    private void beforeHead() {
        watch.covered(current == null ? 0 : current.held());
        if (!requestComplete) {
            writer.closes();
        }
    }

    /** Writes a piece of the body; false if the next had better wait. */
    boolean writePiece(ByteBuf piece) {
        writer.piece(piece);
        return channel.isWritable();
    }

    /** Writes what waits; false if the client does not take all of it now. */
    boolean flush() {
        writer.flush();
        look();
        return watch.isNothingWaiting();
    }

    /** Takes note of what the client has not taken. */
    private void look() {
        watch.look();
        if (parent != null) {
            parent.look();
        }
    }

    void writeLast() {
        writer.last();
    }

    void writeWhole(int status, HttpHeaders headers, ByteBuf body) {
        beforeHead();
        writer.whole(status, headers, body);
    }

    /** Writes an answer of the gateway's own. The reason is for the log; strangers get the status alone. */
    void writeOwn(int status, String reason) {
        if (current != null) {
            beforeHead();
        }
        writer.own(status);
    }

    /**
     * Runs {@code action} when the last byte of the answer was written, or none can be any more: at once, or later, and
     * returns whether later.
     */
    boolean whenWritten(Runnable action) {
        if (writer.isWritten()) {
            action.run();
            return false;
        }
        look();
        writer.whenWritten(action);
        return true;
    }

    /** Returns whether the answer, or what was left of it, could not be written. */
    boolean hasFailed() {
        return writer.hasFailed();
    }

    /**
     * The answer cannot be completed: the client is told by the end of the connection, or by a reset of the stream.
     *
     * @param reset whether by a reset in any case, since the backend reset its own
     */
    void cut(boolean reset) {
        at = At.CLOSED;
        if (isStream()) {
            resetStream();
        } else if (reset || writer.isEndedByClosing()) {
            Channels.reset(channel);
        } else if (watch.isNothingWaiting()) {
            close();
        } else {
            Channels.drop(channel); // over TLS, the end of the protocol would wait behind what is not taken
        }
    }

    /** Closing alone would leave an answer waiting for the window whose end was handed over. */
    private void resetStream() {
        Channels.writeAndFlush(channel, new DefaultHttp2ResetFrame(Http2Error.CANCEL));
        close();
    }

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

    /** The channel is being closed: what is held is given back at once. */
    void connectionCutOff(String reason) {
        at = At.CLOSED;
        watch.stop();
        releasePending();
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

    /** The answer to the current request was written. */
    void exchangeEnded(Exchange ended) {
        if (current == ended) {
            current = null;
            answered();
        }
    }

    private void answered() {
        if (at == At.OPEN) {
            boolean unused = whenWritten(this::answeredAndWritten);
        }
    }

    private void answeredAndWritten() {
        if (at != At.OPEN || current != null || !writer.isWritten()) {
            return;
        }
        if (writer.hasFailed()) {
            close();
            return;
        }
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

    /** Any other code would make the client drop the answer. */
    private void endStream() {
        Channels.writeAndFlush(channel, new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
        close();
    }

    private void endConnection() {
        boolean unread = !requestComplete || !pending.isEmpty();
        at = At.LINGERING;
        releasePending();
        if (!unread) {
            writer.whenWritten(this::close);
            return;
        }
        readsChanged();
        loop.linger.start(readLimit);
        writer.whenWritten(() -> {
            if (!secure && channel instanceof DuplexChannel duplex && channel.isActive()) {
                var unused = duplex.shutdownOutput();
            }
        });
    }

    private void ready() {
        at = At.READY;
        watch.look();
        requestComplete = true;
        if (takingPending) {
            return;
        }
        takingPending = true;
        boolean took = false;
        while (!pending.isEmpty() && (at == At.READY || (at == At.OPEN && !requestComplete))) {
            took = true;
            take(pending.remove());
        }
        takingPending = false;
        if (pending.isEmpty()) {
            givePendingBack();
        }
        if (loop.closesIdle) {
            drain();
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

    private void releasePending() {
        pending.forEach(ReferenceCountUtil::release);
        pending.clear();
        givePendingBack();
    }

    private void givePendingBack() {
        core.memory.give(pendingCost);
        pendingCost = 0;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        at = At.CLOSED;
        readLimit.stop();
        watch.stop();
        writer.release();
        releasePending();
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

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
import io.netty.handler.codec.http.HttpHeaderNames;
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
     * Server-1  At OPEN there is one request: `current`, or one that was refused and whose end is awaited. What is
     *           decoded of later ones waits in `pending`, and while something waits the client is not read. So requests
     *           of a connection are answered in their order.
     * Server-2  The read limit runs at READY (idle or head), while a body is awaited and not held up by us, and at
     *           LINGERING; the write limit while the client takes less than there is to write.
     * Server-3  After a refusal for what the bytes are, nothing that follows is looked at.
     */
    private enum At {
        READY,
        OPEN,
        LINGERING,
        CLOSED
    }

    private final Core core;
    private final Loop loop;
    private final Channel channel;
    private final AnswerWriter writer;
    private final @Nullable StrictRequestDecoder decoder;
    private final Object connectionId;
    private final String peer;
    private final boolean secure;
    private final Timeouts.Entry readLimit = new Timeouts.Entry(this::readTimedOut);
    private final Timeouts.Entry writeLimit = new Timeouts.Entry(this::writeTimedOut);
    private final ArrayDeque<Object> pending = new ArrayDeque<>(0);
    private At at = At.READY;
    private @Nullable Exchange current;
    private boolean requestComplete = true;
    private boolean headTimed;
    private boolean takingPending;
    private long writableAfter;

    ServerHandler(Core core, Loop loop, Channel channel, @Nullable StrictRequestDecoder decoder, boolean secure) {
        this.core = core;
        this.loop = loop;
        this.channel = channel;
        this.decoder = decoder;
        this.secure = secure;
        connectionId = decoder == null ? channel.parent().id() : channel.id();
        peer = Transport.host(decoder == null ? channel.parent() : channel);
        writer = new AnswerWriter(channel, decoder == null, core::isDraining);
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
            pending.add(message);
            readsChanged();
        } else {
            take(message);
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
                ready();
            }
        }
    }

    private void begin(HttpRequest request) {
        at = At.OPEN;
        requestComplete = false;
        headTimed = false;
        readLimit.stop();
        writer.begin(request);
        try {
            RequestRules.check(request, isStream());
            open(request);
        } catch (Refusal refusal) {
            if (RequestRules.endsConnection(request, refusal)
                    || request.decoderResult().isFailure()
                    || saysBody(request)) {
                writer.closes();
            }
            core.refused(peer, request, refusal);
            writeOwn(refusal.status(), refusal.reason());
            answered();
        }
    }

    private static boolean saysBody(HttpRequest request) {
        String length = request.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        return request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING) || (length != null && !length.equals("0"));
    }

    private void open(HttpRequest request) throws Refusal {
        String uri = originForm(request);
        int mark = uri.indexOf('?');
        String path = PathRules.normalise(mark < 0 ? uri : uri.substring(0, mark));
        String query = mark < 0 ? "" : uri.substring(mark);
        if (query.indexOf('#') >= 0) {
            throw new Refusal(400, "a fragment in the request line");
        }
        Routing routing = core.routing();
        Route route = routing.find(path);
        if (route == null) {
            throw new Refusal(404, "no route for " + path);
        }
        if (HttpUtil.getContentLength(request, 0L) > route.mostBody) {
            throw new Refusal(413, "a body of more than " + route.mostBody + " bytes");
        }
        Deadline deadline = core.deadlines.read(request.headers(), route.config.limit());
        if (deadline.isUsedUp()) {
            throw new Refusal(504, "nothing is left of the client's time limit");
        }
        Permit permit = core.tryEnter();
        if (permit == null) {
            throw new Refusal(503, "as many requests are under way as may be");
        }
        if (HttpUtil.is100ContinueExpected(request)) {
            Channels.writeAndFlush(
                    channel,
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
        current = new Exchange(core, this, route, request, path, query, deadline, permit);
    }

    /** Returns path and query; an absolute form becomes that and the Host. */
    private static String originForm(HttpRequest request) throws Refusal {
        String uri = request.uri();
        int scheme = uri.startsWith("http://") ? 7 : uri.startsWith("https://") ? 8 : 0;
        if (scheme == 0) {
            return uri;
        }
        int slash = uri.indexOf('/', scheme);
        String authority = slash < 0 ? uri.substring(scheme) : uri.substring(scheme, slash);
        if (authority.isEmpty() || !RequestRules.isAuthority(authority)) {
            throw new Refusal(400, "an absolute form without a host");
        }
        request.headers().set(HttpHeaderNames.HOST, authority);
        return slash < 0 ? "/" : uri.substring(slash);
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
        if (channel.config().isAutoRead() != reads) {
            channel.config().setAutoRead(reads);
            limitReading();
        }
    }

    // ---------------------------------------------------------------- writing

    void writeHead(int status, HttpHeaders headers, long length) {
        beforeHead();
        writer.head(status, headers, length);
    }

    private void beforeHead() {
        if (!requestComplete) {
            writer.closes();
        }
    }

    /** Writes a piece of the body; false if the next had better wait. */
    boolean writePiece(ByteBuf piece) {
        writer.piece(piece);
        return channel.isWritable();
    }

    void flush() {
        channel.flush();
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

    /** The answer cannot be completed: the client is told by the end of the connection. */
    void cut() {
        close();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable()) {
            writeLimit.stop();
            if (current != null) {
                current.resume();
            }
        } else {
            writableAfter = channel.bytesBeforeWritable();
            loop.write.start(writeLimit);
        }
    }

    private void writeTimedOut() {
        long now = channel.bytesBeforeWritable();
        if (now < writableAfter) {
            writableAfter = now;
            loop.write.start(writeLimit);
        } else {
            close();
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
        if (at != At.OPEN) {
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
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        at = At.CLOSED;
        readLimit.stop();
        writeLimit.stop();
        releasePending();
        loop.connections.remove(this);
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

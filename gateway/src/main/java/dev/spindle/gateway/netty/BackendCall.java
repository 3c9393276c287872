// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.flow.Attempt;
import dev.spindle.gateway.config.BackendConfig.Repeat;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a call of a backend: the stage that {@link dev.spindle.flow.Endpoint} guards. Its answer is held until
 * it is complete, or handed on in pieces, where the client's request is answered by this backend alone.
 */
final class BackendCall extends CompletableFuture<BackendAnswer> {
    /*
     * Confined to the event loop of the exchange, but for the future itself, which whoever is done with the call
     * cancels.
     *
     *   NEW -> WAITING (for a connection) -> CALLING -> ENDED
     *          WAITING <- CALLING, once, when a connection that was kept alive turns out to be closed
     *   each -> ENDED, when it is cancelled
     *
     * Call-1  At ENDED the call has neither a place in the pool nor a connection, and holds no buffer.
     * Call-2  Whoever moves it to ENDED completes the future, or found it completed. An answer that the future does not
     *         take is released here; one that it took is the endpoint's to deliver or to discard.
     * Call-3  No piece of an answer goes on before `attempt.commit()` said that it may.
     * Call-4  The backend is excused (B4) while a piece of the body is awaited that the client did not send, until the
     *         answer begins; while the client takes no piece of the answer; and when it says that the time was up,
     *         which was less than it may take.
     */
    private enum At {
        NEW,
        WAITING,
        CALLING,
        ENDED
    }

    private static final int SMALL = 512;
    private static final int GATEWAY_TIMEOUT = 504;

    private final Backend backend;
    private final BackendRequest request;
    private final Attempt attempt;
    private final ConnectionPool pool;
    private final boolean mayStream;
    private At at = At.NEW;
    private @Nullable BackendConnection connection;
    private boolean wasKept;
    private boolean secondTry;
    private boolean sent;
    private boolean uploads;
    private boolean streams;
    private boolean awaitsBody;
    private boolean awaitsReader;
    private long toldNanos;
    private int status;
    private @Nullable HttpHeaders headers;
    private final Pieces held = new Pieces();

    BackendCall(Backend backend, BackendRequest request, Attempt attempt) {
        this.backend = backend;
        this.request = request;
        this.attempt = attempt;
        pool = backend.pool(request.exchange().loop());
        mayStream = request.exchange().streams();
    }

    /** Starts the call, by whatever thread. */
    BackendCall start() {
        if (!pool.loop().run(this::begin)) {
            completeExceptionally(new RejectedExecutionException("the gateway is closed"));
        }
        return this;
    }

    private void begin() {
        if (request.exchange().isEnded()) { // its buffers are gone; whoever started this is about to be told
            at = At.ENDED;
            boolean unused = super.cancel(false);
        } else if (!isDone()) {
            at = At.WAITING;
            pool.acquire(this, false);
        }
    }

    // ---------------------------------------------------------------- the request

    /** Called by the pool, once. */
    void connected(BackendConnection got, boolean kept) {
        if (at != At.WAITING || request.exchange().isEnded()) {
            at = At.ENDED;
            boolean unused = super.cancel(false);
            pool.available(got);
            return;
        }
        at = At.CALLING;
        backend.metrics.calls.increment();
        connection = got;
        wasKept = kept;
        HttpMethod method = request.method();
        got.begin(this, method.equals(HttpMethod.HEAD));
        ByteBuf body = request.body();
        String uri = backend.uri(request.exchange().target());
        if (body != null) {
            sent = true;
            Channels.writeAndFlush(
                    got.channel(),
                    new DefaultFullHttpRequest(
                            HttpVersion.HTTP_1_1,
                            method,
                            uri,
                            body.retainedDuplicate(),
                            EmptyHttpHeaders.INSTANCE,
                            EmptyHttpHeaders.INSTANCE));
        } else {
            Channels.write(got.channel(), new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, uri, framing()));
            uploads = true;
            request.exchange().upload(this);
            got.channel().flush();
        }
    }

    /** The fields of a body in pieces, by which the encoder goes as well. */
    private HttpHeaders framing() {
        long length = request.exchange().contentLength();
        return length >= 0
                ? HopFields.none().add(HttpHeaderNames.CONTENT_LENGTH, length)
                : HopFields.none().add(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
    }

    /** Writes the fields of the head, but for those of a body in pieces. */
    void writeFields(ByteBuf head) {
        HopFields.write(head, HttpHeaderNames.HOST, backend.host);
        String type = request.contentType();
        ByteBuf common = request.exchange().forwarded(type == null);
        head.writeBytes(common, common.readerIndex(), common.readableBytes());
        if (type != null) {
            HopFields.write(head, HttpHeaderNames.CONTENT_TYPE, type);
        }
        String encoding = request.contentEncoding();
        if (encoding != null) {
            HopFields.write(head, HttpHeaderNames.CONTENT_ENCODING, encoding);
        }
        ByteBuf body = request.body();
        if (body != null && (body.isReadable() || mayHaveBody(request.method()))) {
            HopFields.write(head, HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.readableBytes()));
        }
        Duration left = attempt.deadline().remaining();
        toldNanos = left.toNanos();
        backend.core.deadlines.write(head, left, request.exchange().saidGrpcTimeout());
    }

    private static boolean mayHaveBody(HttpMethod method) {
        return method.equals(HttpMethod.POST) || method.equals(HttpMethod.PUT) || method.equals(HttpMethod.PATCH);
    }

    /** Sends a piece of the body, which becomes the connection's; false if the next had better wait. */
    boolean send(ByteBuf piece, boolean last) {
        BackendConnection to = connection;
        if (at != At.CALLING || to == null) {
            piece.release();
            return true;
        }
        sent = last;
        Channels.write(to.channel(), last ? new DefaultLastHttpContent(piece) : new DefaultHttpContent(piece));
        if (last || !to.channel().isWritable()) {
            to.channel().flush();
        }
        return to.channel().isWritable();
    }

    /** Returns how many bytes of the request the backend's socket has not taken. */
    long unsent() {
        BackendConnection to = connection;
        ChannelOutboundBuffer buffer = to == null ? null : to.channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    void flushSent() {
        if (connection != null) {
            connection.channel().flush();
        }
    }

    void writable() {
        request.exchange().uploadWritable(this);
    }

    /** Says whether the next piece of the body is the client's to send, and the backend waits for it. */
    void awaitsBody(boolean is) {
        awaitsBody = is && headers == null;
        excuse();
    }

    private void excuse() {
        attempt.excuse(awaitsBody || awaitsReader);
    }

    /** Returns whether the whole request was written. */
    boolean isSent() {
        return sent;
    }

    // ---------------------------------------------------------------- the answer

    void head(HttpResponse response) {
        status = response.status().code();
        headers = response.headers();
        if (awaitsBody) {
            awaitsBody(false);
        }
        if (!mayStream || mayBeRepeated()) {
            return;
        }
        if (!attempt.commit()) {
            abandon();
            return;
        }
        streams = true;
        request.exchange()
                .answerHead(
                        this, status, HopFields.ofAnswer(response.headers()), HttpUtil.getContentLength(response, -1L));
    }

    private boolean mayBeRepeated() {
        return status >= 500 && backend.config.retries() > 0 && request.isRepeatable(backend.config.repeat());
    }

    /** Takes a piece, which is released by whoever it is handed to. */
    void content(ByteBuf piece, boolean last) {
        if (at != At.CALLING) {
            piece.release();
            return;
        }
        if (streams) {
            if (!request.exchange().answerContent(piece) && connection != null && !last) {
                connection.reads(false);
                awaitsReader = true;
                excuse();
            }
        } else {
            hold(piece);
        }
        if (last && at == At.CALLING) {
            end();
        }
    }

    private void hold(ByteBuf piece) {
        int more = piece.readableBytes();
        long length = held.bytes() + (long) more;
        BackendConnection from = connection;
        if (length > backend.mostAnswer) {
            piece.release();
            fail("an answer of more than " + backend.mostAnswer + " bytes");
        } else {
            held.add(
                    held.isEmpty() && more <= SMALL ? compact(piece) : piece,
                    request.exchange().allocator());
            if (request.exchange().hold(more) || at != At.CALLING) {
                return;
            }
            refused("there is no memory for an answer of " + backend.config.name());
        }
        if (from != null) {
            from.abandon();
        }
    }

    /** Copies a small piece, so that it does not hold the buffer of a reading until the other answers are there. */
    private static ByteBuf compact(ByteBuf piece) {
        byte[] bytes = new byte[piece.readableBytes()];
        piece.readBytes(bytes).release();
        return Unpooled.wrappedBuffer(bytes);
    }

    /** The client takes bytes again. */
    void resume() {
        if (connection != null) {
            connection.reads(true);
        }
        if (awaitsReader) {
            awaitsReader = false;
            excuse();
        }
    }

    void flush() {
        if (streams) {
            request.exchange().flush();
        }
    }

    private void end() {
        at = At.ENDED;
        connection = null;
        ByteBuf body = held.all(request.exchange().allocator());
        uploadEnded();
        HttpHeaders fields = headers == null ? EmptyHttpHeaders.INSTANCE : headers;
        if (status == GATEWAY_TIMEOUT && toldNanos < backend.expectedNanos()) {
            attempt.excuse(true);
        }
        BackendAnswer answer = new BackendAnswer(request, status, fields, body);
        if (answer.isFailure() && request.exchange().gathers()) {
            completeExceptionally(new FailedAnswer(answer));
        } else if (!complete(answer)) {
            body.release();
        }
    }

    // ---------------------------------------------------------------- other ends

    /** There is no connection to be had. */
    void refused(String reason) {
        over();
        completeExceptionally(new RejectedExecutionException(reason));
    }

    void failed(String reason) {
        fail(reason);
    }

    /** The connection, whose end would have been that of the answer, was cut off. */
    void cutOff(String reason) {
        if (streams) {
            request.exchange().backendReset();
        }
        lost(reason, false);
    }

    /** The connection is gone, or its answer is no use. If it was kept alive too long, another one will do. */
    void lost(String reason, boolean byClosing) {
        if (at != At.CALLING) {
            return;
        }
        connection = null;
        boolean nothingCame = headers == null;
        if (byClosing && wasKept && nothingCame && !secondTry && mayGoAgain()) {
            secondTry = true;
            at = At.WAITING;
            pool.acquire(this, true);
        } else {
            fail(backend.config.name() + ": " + reason);
        }
    }

    private boolean mayGoAgain() {
        Repeat repeat = backend.config.repeat();
        return repeat != Repeat.NEVER && request.isRepeatable(repeat);
    }

    private void fail(String reason) {
        over();
        completeExceptionally(new BackendException(reason));
    }

    private void over() {
        at = At.ENDED;
        backend.metrics.failures.increment();
        connection = null;
        held.release();
        uploadEnded();
    }

    private void uploadEnded() {
        if (uploads) {
            request.exchange().uploadEnded(this);
        }
    }

    /** Called by whoever needs no answer any more, by whatever thread. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (!super.cancel(mayInterruptIfRunning)) {
            return false;
        }
        boolean unused = pool.loop().run(this::abandon);
        return true;
    }

    private void abandon() {
        if (at == At.WAITING) {
            pool.withdraw(this);
        }
        BackendConnection from = connection;
        if (at != At.ENDED) {
            over();
        }
        if (from != null) {
            from.abandon();
        }
    }

    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}

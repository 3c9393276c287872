// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.flow.Attempt;
import dev.spindle.gateway.config.BackendConfig.Repeat;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.protocol.HeadBytes;
import dev.spindle.gateway.protocol.Pieces;
import dev.spindle.gateway.protocol.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a call of a backend: the stage that {@link dev.spindle.flow.Endpoint} guards.
 *
 * <p>The answer is forwarded in pieces if the client's request {@linkplain ClientRequest#streams streams} and the
 * answer does not lead to a retry. Otherwise the answer is held until it is complete.
 */
final class BackendCall extends CompletableFuture<BackendAnswer> implements StreamedCall {
    /*
     * Confined to the event loop of the client's connection, except for the future itself, which any thread may cancel,
     * and for start().
     *
     *   NEW      -> WAITING  the call waits for a connection
     *   WAITING  -> CALLING  the pool has a connection
     *   CALLING  -> WAITING  once, if a connection that was kept alive turns out to be closed
     *   CALLING  -> ENDED    the answer is complete
     *   WAITING  -> WAITING  the chosen instance gives no connection, and another is chosen
     *   each     -> ENDED    the call is cancelled, rejected or fails
     *
     * BackendCall-1  An ENDED call does not wait in the pool, has no connection, and holds no buffer.
     * BackendCall-2  A call that ends completes its future, unless the endpoint has given up the attempt. If the future
     *                is already completed, the answer is released here; otherwise the endpoint delivers or discards the
     *                answer.
     * BackendCall-3  No piece of an answer is forwarded before `attempt.commit()` has returned true.
     * BackendCall-4  Time does not count against the backend (promise B4) while the backend waits for the client: for a
     *                piece of the body before the answer begins, or for the client to take the answer. A 504 to a call
     *                whose remaining time was less than `expectedNanos` does not count against the backend.
     * BackendCall-5  A call that is WAITING or CALLING at a backend with several instances is counted at one of them.
     */
    private enum At {
        NEW,
        WAITING,
        CALLING,
        ENDED
    }

    /** The maximum bytes of a piece that is copied to release the large buffer of its read. */
    private static final int SMALL = 512;

    private static final int GATEWAY_TIMEOUT = 504;
    /** The end of the first line of a call. */
    private static final byte[] VERSION = " HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Backend backend;
    private final BackendRequest request;
    private final Attempt attempt;
    private final ConnectionLoop loop;
    private final boolean mayStream;
    /** The connections to the only instance, or to the instance that was chosen last. */
    private ConnectionPool pool;
    /** The instance at which this call is counted; null for a backend with one instance. */
    private @Nullable Instance instance;
    /** The time of the last choice of an instance. */
    private long chosenAt;

    private At at = At.NEW;
    private @Nullable BackendConnection connection;
    /** True if the connection served calls before this call. */
    private boolean wasKept;
    /** True if the call has lost a connection that was kept alive, and uses or waits for another connection. */
    private boolean secondTry;
    /** True if the whole request was written. */
    private boolean sent;
    /** True if the body arrives in pieces. */
    private boolean uploads;
    /** True if the head of the answer was forwarded. */
    private boolean streams;
    /** True while the backend waits for the client to send. */
    private boolean awaitsBody;
    /** True while the backend waits for the client to read. */
    private boolean awaitsReader;
    /** The remaining time that the head of the call states. */
    private long toldNanos;

    private int status;
    private @Nullable HttpHeaders headers;
    private final Pieces held = new Pieces();

    BackendCall(Backend backend, BackendRequest request, Attempt attempt) {
        this.backend = backend;
        this.request = request;
        this.attempt = attempt;
        loop = request.client().loop();
        pool = backend.pool(loop);
        mayStream = request.client().streams();
    }

    /** Starts the call. May be called by any thread. */
    BackendCall start() {
        if (!loop.run(this::begin)) {
            completeExceptionally(new RejectedExecutionException("the gateway is closed"));
        }
        return this;
    }

    private void begin() {
        if (request.client().isEnded()) { // the request has released its buffers and cancels the endpoint
            at = At.ENDED;
            boolean unused = super.cancel(false);
        } else if (!isDone()) {
            at = At.WAITING;
            if (backend.several != null) {
                enterAny(backend.several);
            }
            pool.acquire(this, false);
        }
    }

    // ---------------------------------------------------------------- instances

    /** The result of a call for the instance at which it was. */
    private enum Result {
        ANSWERED,
        FAILED,
        NEITHER
    }

    /** Chooses an instance that this request has not tried. Returns false if there is none. */
    private boolean enter(Instances several) {
        Instance next = several.choose(request.tried());
        if (next == null) {
            return false;
        }
        request.tried().add(next.address);
        next.began();
        instance = next; // BackendCall-5
        chosenAt = backend.clock.getAsLong();
        pool = next.pool(loop);
        return true;
    }

    /** Chooses an instance, if possible one that this request has not tried. */
    private void enterAny(Instances several) {
        if (!enter(several)) {
            request.tried().clear();
            boolean unused = enter(several);
        }
    }

    /** Counts the end of this call at its instance, if it is counted at one. */
    private void leave(Result result, String reason) {
        Instance from = instance;
        if (from == null) {
            return;
        }
        instance = null;
        from.ended();
        if (backend.several != null && result == Result.ANSWERED) {
            backend.several.succeeded(from, chosenAt);
        } else if (backend.several != null && result == Result.FAILED) {
            backend.several.failed(from, reason);
        }
    }

    /**
     * Moves a waiting call, of which nothing was sent, to another instance. Returns false if there is none that this
     * request has not tried.
     */
    private boolean movesOn(Result result, String reason) {
        if (instance == null || at != At.WAITING) {
            return false;
        }
        leave(result, reason);
        if (backend.several == null || isDone() || request.client().isEnded() || !enter(backend.several)) {
            return false;
        }
        pool.acquire(this, false);
        return true;
    }

    /** Returns the result of a cancelled call: FAILED if its time is up and the instance had most of it. */
    private Result ofCancelled() {
        boolean timedOut = instance != null
                && !awaitsBody
                && !awaitsReader
                && attempt.deadline().isExpired()
                && backend.clock.getAsLong() - chosenAt >= backend.expectedNanos();
        return timedOut ? Result.FAILED : Result.NEITHER;
    }

    // ---------------------------------------------------------------- the request

    /** Called by the pool with a connection, at most twice: the second time after the loss of a kept connection. */
    void connected(BackendConnection got, boolean kept) {
        if (at != At.WAITING || request.client().isEnded()) {
            at = At.ENDED;
            leave(Result.NEITHER, "");
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
        WireWriter out = got.output();
        writeHead(out, method);
        ByteBuf body = request.body();
        if (body != null) {
            sent = true;
            out.piece(body.retainedDuplicate());
        } else {
            uploads = true;
            request.client().upload(this);
        }
        out.flush();
    }

    private void writeHead(WireWriter out, HttpMethod method) {
        HeadBytes head = out.begin();
        head.add(method.asciiName())
                .add(' ')
                .add(backend.uri(request.client().target()))
                .add(VERSION);
        writeFields(head);
        boolean chunked = false;
        if (request.body() == null) {
            long length = request.client().contentLength();
            chunked = length < 0;
            if (chunked) {
                head.field(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
            } else {
                head.field(HttpHeaderNames.CONTENT_LENGTH, Long.toString(length));
            }
        }
        out.endHead(chunked);
    }

    /** Writes all fields except those that determine where a body in pieces ends. */
    private void writeFields(HeadBytes head) {
        String kept = backend.keepsHost ? request.client().host() : null;
        head.field(HttpHeaderNames.HOST, kept == null || kept.isEmpty() ? backend.host : kept);
        String type = request.contentType();
        request.client().forwarded(head, type == null);
        if (type != null) {
            head.field(HttpHeaderNames.CONTENT_TYPE, type);
        }
        String encoding = request.contentEncoding();
        if (encoding != null) {
            head.field(HttpHeaderNames.CONTENT_ENCODING, encoding); // H3
        }
        ByteBuf body = request.body();
        if (body != null && (body.isReadable() || mayHaveBody(request.method()))) {
            head.field(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.readableBytes()));
        }
        Duration left = attempt.deadline().remaining();
        toldNanos = left.toNanos();
        backend.deadlines.write(head, left, request.client().saidGrpcTimeout());
    }

    private static boolean mayHaveBody(HttpMethod method) {
        return method.equals(HttpMethod.POST) || method.equals(HttpMethod.PUT) || method.equals(HttpMethod.PATCH);
    }

    @Override
    public boolean send(ByteBuf piece, boolean last) {
        BackendConnection to = connection;
        if (at != At.CALLING || to == null) {
            piece.release();
            return true;
        }
        sent = last;
        WireWriter out = to.output();
        out.piece(piece);
        if (last) {
            out.end();
        }
        if (last || !to.channel().isWritable()) {
            out.flush();
        }
        return to.channel().isWritable();
    }

    @Override
    public long unsent() {
        BackendConnection to = connection;
        ChannelOutboundBuffer buffer = to == null ? null : to.channel().unsafe().outboundBuffer();
        return to == null || buffer == null
                ? 0
                : buffer.totalPendingWriteBytes() + to.output().held();
    }

    @Override
    public void flushSent() {
        if (connection != null) {
            connection.output().flush();
        }
    }

    /** Called by the connection when its socket takes bytes again. */
    void writable() {
        request.client().uploadWritable(this);
    }

    @Override
    public void awaitsBody(boolean is) {
        awaitsBody = is && headers == null;
        excuse();
    }

    /** Tells the endpoint whether the passing time counts against the backend (BackendCall-4). */
    private void excuse() {
        attempt.excuse(awaitsBody || awaitsReader);
    }

    @Override
    public boolean isSent() {
        return sent;
    }

    // ---------------------------------------------------------------- the answer

    /**
     * Receives the head of the answer, and forwards the head of an answer in pieces. If the endpoint has given up this
     * attempt, ends the call instead of forwarding the head.
     */
    void head(HttpResponse response) {
        status = response.status().code();
        headers = response.headers();
        if (awaitsBody) {
            awaitsBody(false);
        }
        if (!mayStream || mayBeRepeated()) {
            return;
        }
        if (!attempt.commit()) { // BackendCall-3
            abandon();
            return;
        }
        streams = true;
        request.client().answerHead(this, status, response.headers(), HttpUtil.getContentLength(response, -1L));
    }

    /** Returns whether the endpoint may retry after this answer, which is then held. */
    private boolean mayBeRepeated() {
        return status >= 500 && backend.config.retries() > 0 && request.isRepeatable(backend.config.repeat());
    }

    /** Takes over a piece of the answer, and forwards or holds it. */
    void content(ByteBuf piece, boolean last) {
        if (at != At.CALLING) {
            piece.release();
            return;
        }
        if (streams) {
            if (!request.client().answerContent(piece) && connection != null && !last) {
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

    /** Holds a piece until the answer is complete. Ends the call if the answer is too long or memory is short. */
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
                    request.client().allocator());
            if (request.client().hold(more) || at != At.CALLING) {
                return;
            }
            refused("there is no memory for an answer of " + backend.config.name());
        }
        if (from != null) {
            from.abandon();
        }
    }

    /** Copies a small piece, which would otherwise keep the buffer of a whole read. */
    private static ByteBuf compact(ByteBuf piece) {
        byte[] bytes = new byte[piece.readableBytes()];
        piece.readBytes(bytes).release();
        return Unpooled.wrappedBuffer(bytes);
    }

    @Override
    public void resume() {
        if (connection != null) {
            connection.reads(true);
        }
        if (awaitsReader) {
            awaitsReader = false;
            excuse();
        }
    }

    /** Called by the connection after it has passed on all bytes that it had read. */
    void flush() {
        if (streams) {
            request.client().flush();
        }
    }

    /** Called when the answer is complete. */
    private void end() {
        at = At.ENDED;
        connection = null;
        ByteBuf body = held.all(request.client().allocator());
        uploadEnded();
        boolean ofDeadline = status == GATEWAY_TIMEOUT && toldNanos < backend.expectedNanos(); // BackendCall-4
        leave(
                status < 500 ? Result.ANSWERED : ofDeadline ? Result.NEITHER : Result.FAILED,
                status < 500 ? "" : "it answered " + status);
        HttpHeaders fields = headers == null ? EmptyHttpHeaders.INSTANCE : headers;
        if (ofDeadline) {
            attempt.excuse(true);
        }
        BackendAnswer answer = new BackendAnswer(request, status, fields, body);
        if (answer.isFailure() && request.client().gathers()) { // B4
            completeExceptionally(new FailedAnswer(answer));
        } else if (!complete(answer)) {
            body.release();
        }
    }

    // ---------------------------------------------------------------- other ends

    /**
     * Ends the call as rejected, since no connection is available or memory for the answer is short. A rejection does
     * not count against the backend.
     */
    void refused(String reason) {
        over(Result.NEITHER, reason);
        completeExceptionally(new RejectedExecutionException(reason));
    }

    /** Called when no connection is or will be available for this call. */
    void full(String reason) {
        if (!movesOn(Result.NEITHER, reason)) {
            refused(reason);
        }
    }

    /** Called when the connection could not be opened. */
    void failed(String reason) {
        if (!movesOn(Result.FAILED, reason)) {
            fail(reason);
        }
    }

    /** Called when a connection whose orderly close would have ended the answer was cut off. */
    void cutOff(String reason) {
        if (streams) {
            request.client().backendReset();
        }
        lost(reason, false);
    }

    /**
     * Called when the connection is closed or cut off, or the answer is malformed. If the backend closed a kept
     * connection and no head of an answer has arrived, a repeatable call gets another connection, once. In all other
     * cases the call fails.
     *
     * @param byClosing true if the backend closed the connection
     */
    void lost(String reason, boolean byClosing) {
        if (at != At.CALLING) {
            return;
        }
        connection = null;
        boolean nothingCame = headers == null;
        if (byClosing && wasKept && nothingCame && !secondTry && mayGoAgain()) {
            secondTry = true;
            at = At.WAITING;
            leave(Result.NEITHER, reason);
            if (backend.several != null) {
                enterAny(backend.several);
            }
            pool.acquire(this, true);
        } else {
            fail(pool.name() + ": " + reason);
        }
    }

    /** Returns whether the request may be sent a second time. */
    private boolean mayGoAgain() {
        Repeat repeat = backend.config.repeat();
        return repeat != Repeat.NEVER && request.isRepeatable(repeat);
    }

    private void fail(String reason) {
        over(Result.FAILED, reason);
        completeExceptionally(new BackendException(reason)); // BackendCall-2
    }

    /** Moves to ENDED without an answer. */
    private void over(Result result, String reason) {
        at = At.ENDED;
        leave(result, reason);
        backend.metrics.failures.increment();
        connection = null;
        held.release();
        uploadEnded();
    }

    private void uploadEnded() {
        if (uploads) {
            request.client().uploadEnded(this);
        }
    }

    /** Cancels the call, which then ends on its event loop. May be called by any thread. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (!super.cancel(mayInterruptIfRunning)) {
            return false;
        }
        boolean unused = loop.run(this::abandon);
        return true;
    }

    /** Ends the call without an answer: withdraws it from the pool, or closes its connection. */
    private void abandon() {
        if (at == At.WAITING) {
            pool.withdraw(this); // BackendCall-1
        }
        BackendConnection from = connection;
        if (at != At.ENDED) {
            over(ofCancelled(), "it did not answer in time");
        }
        if (from != null) {
            from.abandon();
        }
    }

    /** Dependent stages are plain futures and not calls. */
    @Override
    public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}

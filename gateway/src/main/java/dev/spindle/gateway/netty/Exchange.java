// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.TimeLimit;
import dev.spindle.flow.Deadline;
import dev.spindle.flow.Gathered;
import dev.spindle.flow.Outcome;
import dev.spindle.flow.Permit;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A request under way: from its head, when a route and a permit were found for it, to the end of its answer. */
final class Exchange {
    /*
     * Confined to the event loop of its connection; what flow and lanes do on other threads comes back by `loop.run`.
     *
     *   READING (the body, where it is held) -> QUEUED (for its turn, where there is an order) -> CALLING -> ENDED
     *   CALLING -> ANSWERING (a head went to the client, more is to come) -> ENDED
     *   each -> WRITING (the connection has the whole answer, and its last byte was not written) -> ENDED
     *   each -> ENDED, when the client is gone or the time is up
     *
     * Exchange-1  It ends once, in end(): there the permit, the memory and the timer are given back, and the connection
     *             is told. With its calls it is over once, in callsOver(), at the latest there: the turn in the lane
     *             and all buffers are given back, and calls under way are cancelled.
     * Exchange-2  An outcome that comes after the calls are over is released, never written.
     * Exchange-3  At most one head is written. Until then the answer can be any; afterwards it can only be completed or
     *             cut.
     * Exchange-4  The gate's limit learns from exchanges whose time was up to the gateway and the backends. With
     *             `pacedByClient` it learns nothing (B4).
     */
    private enum At {
        READING,
        QUEUED,
        CALLING,
        ANSWERING,
        WRITING,
        ENDED
    }

    private static final int FIELDS = 256;
    private static final AsciiString VIA_1 = AsciiString.cached("1.1 spindle");
    private static final AsciiString VIA_2 = AsciiString.cached("2 spindle");
    private static final AsciiString FORWARDED_FOR = AsciiString.cached("x-forwarded-for");
    private static final AsciiString FORWARDED_PROTO = AsciiString.cached("x-forwarded-proto");
    private static final AsciiString FORWARDED_HOST = AsciiString.cached("x-forwarded-host");

    private final Core core;
    private final ServerHandler connection;
    private final Route route;
    private final HttpRequest request;
    private final String path;
    private final String target;
    private final Deadline deadline;
    private final Permit permit;
    private final long beganAt;
    private final boolean saidGrpcTimeout;
    private final Upload upload;
    private final List<ByteBuf> kept = new ArrayList<>(1);
    private At at = At.READING;
    private @Nullable ByteBuf forwarded;
    private @Nullable CompletableFuture<?> work;
    private @Nullable CompletableFuture<?> lane;
    private @Nullable CompletableFuture<Boolean> turn;
    private @Nullable TimeLimit timer;
    private @Nullable BackendCall source;
    private boolean pacedByClient;
    private boolean backendReset;
    private String outcome = "";
    private int status;
    private long bytesOut;
    private long held;
    private long heldByUpload;

    Exchange(
            Core core,
            ServerHandler connection,
            Route route,
            HttpRequest request,
            Target target,
            Deadline deadline,
            Permit permit) {
        this.core = core;
        this.connection = connection;
        this.route = route;
        this.request = request;
        path = target.path();
        this.deadline = deadline;
        this.permit = permit;
        String goesOn = path.substring(route.config.strip().length());
        this.target = (goesOn.isEmpty() ? "/" : goesOn) + target.query();
        beganAt = core.spindle.clock().nanoTime();
        saidGrpcTimeout = core.deadlines.saysGrpcTimeout(request.headers());
        upload = new Upload(connection, route.streams());
    }

    // ---------------------------------------------------------------- what calls ask

    Loop loop() {
        return connection.loop();
    }

    ByteBufAllocator allocator() {
        return connection.allocator();
    }

    HttpRequest request() {
        return request;
    }

    String path() {
        return path;
    }

    /** Path and query as backends get them. */
    String target() {
        return target;
    }

    boolean isStream() {
        return connection.isStream();
    }

    Object connectionId() {
        return connection.connectionId();
    }

    /** Returns whether an answer goes to the client in pieces. */
    boolean streams() {
        return route.streams();
    }

    /** Returns whether several answers are gathered, of which those that say a failure are none. */
    boolean gathers() {
        return route.isMulticast();
    }

    /** Returns whether no call is of use any more. */
    boolean isEnded() {
        return at == At.WRITING || at == At.ENDED;
    }

    /**
     * Counts bytes that are held for this request until its end.
     *
     * @return false if there is no memory for them, or the request has ended
     */
    boolean hold(long bytes) {
        if (at == At.ENDED) {
            return false;
        }
        held += bytes;
        return core.memory.take(loop(), bytes) && at != At.ENDED;
    }

    /** Returns how many bytes are counted until the end of this request. */
    long held() {
        return held;
    }

    /** Counts the bytes of the body that are held now. */
    private boolean countUpload() {
        if (at == At.ENDED) {
            return false;
        }
        long now = upload.held();
        long more = now - heldByUpload;
        heldByUpload = now;
        if (more > 0) {
            return hold(more);
        }
        held += more;
        core.memory.give(-more);
        return true;
    }

    boolean saidGrpcTimeout() {
        return saidGrpcTimeout;
    }

    /** Length of the client's body, -1 if it does not say. */
    long contentLength() {
        return HttpUtil.getContentLength(request, -1L);
    }

    /**
     * The fields that each call has in common, as bytes that stay the exchange's.
     *
     * @param withType whether the body is the client's
     */
    ByteBuf forwarded(boolean withType) {
        ByteBuf fields = forwarded;
        if (fields == null || !withType) {
            fields = keep(connection.allocator().buffer(FIELDS));
            HopFields.writeRequest(request.headers(), core.deadlines.header(), withType, fields);
            HopFields.write(fields, HttpHeaderNames.VIA, connection.isStream() ? VIA_2 : VIA_1);
            HopFields.write(fields, FORWARDED_FOR, connection.peer());
            HopFields.write(fields, FORWARDED_PROTO, connection.scheme());
            String host = request.headers().get(HttpHeaderNames.HOST);
            if (host != null) {
                HopFields.write(fields, FORWARDED_HOST, host);
            }
            forwarded = withType ? fields : forwarded;
        }
        return fields;
    }

    /** Takes a buffer that calls use until the end of the exchange. */
    ByteBuf keep(ByteBuf body) {
        if (loop().executor.inEventLoop() && !isEnded()) {
            kept.add(body);
            return body;
        }
        if (!loop().executor.inEventLoop()) {
            ByteBuf copy = Unpooled.copiedBuffer(body);
            body.release();
            return copy; // on the heap: nothing to give back
        }
        body.release();
        return Unpooled.EMPTY_BUFFER;
    }

    // ---------------------------------------------------------------- the request's body

    /** Takes a piece of the body. */
    void content(ByteBuf piece, boolean last) {
        if (isEnded()) {
            piece.release();
            return;
        }
        if (upload.add(piece, last) > route.mostBody) {
            answer(413, "a body of more than " + route.mostBody + " bytes");
        } else if (!countUpload()) {
            answer(503, "there is no memory for a body");
        } else if (last && at == At.READING) {
            start();
        }
    }

    /** Everything that was there to read was read. */
    void readComplete() {
        pacedByClient |= at == At.READING; // the body is not complete
        if (at == At.READING && route.streams()) {
            start();
        } else if (at == At.READING && timer == null) {
            timer = limit();
        }
        upload.flush();
    }

    void upload(BackendCall to) {
        upload.to(to);
        boolean unused = countUpload();
    }

    void uploadWritable(BackendCall from) {
        upload.writable(from);
        boolean unused = countUpload();
    }

    void uploadEnded(BackendCall from) {
        upload.ended(from);
        boolean unused = countUpload();
    }

    boolean isUploadPaused() {
        return upload.isPaused();
    }

    /** The client did not send its body in time. */
    void bodyTimedOut() {
        answer(408, "the body took too long");
    }

    // ---------------------------------------------------------------- calls

    private void start() {
        Object key = route.orderKey(this);
        if (key == null) {
            call();
            return;
        }
        at = At.QUEUED;
        if (timer == null) {
            timer = limit();
        }
        try {
            lane = core.lanes.submitAsync(key, this::turnCame);
        } catch (RejectedExecutionException e) {
            answer(503, "the gateway is closing");
        }
    }

    /** Runs on a worker: the requests of this key before this one have ended. */
    private CompletableFuture<Boolean> turnCame() {
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        boolean alive = onLoop(() -> {
            if (at != At.QUEUED) {
                mine.complete(false);
                return;
            }
            turn = mine;
            call();
        });
        if (!alive) {
            mine.complete(false);
        }
        return mine;
    }

    private void call() {
        at = At.CALLING;
        stopTimer();
        HttpMethod method = route.isPipeline() && request.method().equals(HttpMethod.HEAD)
                ? HttpMethod.GET // each step needs the body of the one before
                : request.method();
        BackendRequest asked = new BackendRequest(this, method, upload.whole(), null, null);
        if (route.isMulticast()) {
            CompletableFuture<Outcome<Gathered>> call = route.callSeveral(asked, deadline);
            work = call;
            CompletableFuture<?> unused = call.whenComplete((outcome, thrown) -> {
                if (outcome != null && !onLoop(() -> gathered(outcome))) {
                    Multipart.release(outcome);
                }
            });
        } else {
            CompletableFuture<Outcome<BackendAnswer>> call = route.callSingle(asked, deadline);
            work = call;
            CompletableFuture<?> unused = call.whenComplete((outcome, thrown) -> {
                if (outcome != null && !onLoop(() -> answered(outcome))) {
                    release(outcome);
                }
            });
        }
    }

    /** Runs a step on the loop; one that throws ends the exchange with its connection. */
    private boolean onLoop(Runnable step) {
        return loop().run(() -> {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                core.transport.failures().note("a step of a request", e);
                connection.cut(backendReset);
            }
        });
    }

    private static void release(Outcome<BackendAnswer> outcome) {
        if (outcome instanceof Outcome.Value<BackendAnswer> value) {
            value.value().release();
        }
    }

    private TimeLimit limit() {
        return TimeLimit.set(core.spindle, deadline.remaining(), () -> onLoop(this::timeIsUp));
    }

    private void timeIsUp() {
        if (at == At.READING) {
            answer(408, "the body took too long");
        } else if (at == At.QUEUED) {
            answer(504, "the requests before this one took too long");
        } else if (at == At.WRITING) {
            connection.cut(backendReset);
            end("cut off: the client did not take the answer in time");
        }
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    // ---------------------------------------------------------------- answers

    private void answered(Outcome<BackendAnswer> outcome) {
        if (isEnded()) {
            release(outcome);
        } else if (at == At.ANSWERING) {
            if (outcome.isValue()) {
                release(outcome);
                connection.writeLast();
                finish("ok", true);
            } else {
                connection.cut(backendReset);
                end("cut off: " + Multipart.reason(outcome));
            }
        } else if (outcome instanceof Outcome.Value<BackendAnswer> value) {
            BackendAnswer answer = value.value();
            status = answer.status();
            bytesOut = answer.body().readableBytes();
            connection.writeWhole(status, HopFields.ofAnswer(answer.headers()), answer.body());
            finish("ok", true);
        } else {
            answer(Multipart.status(outcome), Multipart.reason(outcome));
        }
    }

    private void gathered(Outcome<Gathered> outcome) {
        if (isEnded()) {
            Multipart.release(outcome);
            return;
        }
        Gathered gathered = Multipart.gathered(outcome);
        if (gathered == null) {
            answer(Multipart.status(outcome), Multipart.reason(outcome));
            return;
        }
        boolean met = outcome.isValue() && gathered.values() > 0;
        Multipart parts = new Multipart(connection.allocator(), route.backends, gathered);
        status = met ? 200 : parts.failedStatus();
        bytesOut = parts.body().readableBytes();
        connection.writeWhole(status, parts.headers(), parts.body());
        finish(met ? "ok" : "too few answers", true);
    }

    /** Hands on the head of an answer whose body follows. */
    void answerHead(BackendCall from, int status, HttpHeaders headers, long length) {
        if (at == At.CALLING) {
            at = At.ANSWERING;
            source = from;
            this.status = status;
            connection.writeHead(status, headers, length);
        }
    }

    /** Hands on a piece of the body; false if the next had better wait. */
    boolean answerContent(ByteBuf piece) {
        if (at != At.ANSWERING) {
            piece.release();
            return true;
        }
        bytesOut += piece.readableBytes();
        boolean takesMore = connection.writePiece(piece);
        pacedByClient |= !takesMore;
        return takesMore;
    }

    void flush() {
        pacedByClient |= !connection.flush();
    }

    /** The client takes bytes again. */
    void resume() {
        if (source != null) {
            source.resume();
        }
    }

    /** Ends the exchange with an answer of the gateway's own. */
    void answer(int status, String reason) {
        if (at == At.ANSWERING) {
            connection.cut(backendReset);
            end("cut off: " + reason);
        } else if (!isEnded()) {
            this.status = status;
            pacedByClient |= status < 500;
            connection.writeOwn(status, reason);
            finish(reason, false);
        }
    }

    /**
     * The connection has the whole answer: the exchange ends when its last byte was written.
     *
     * @param limited whether by the limit of the route at the latest
     */
    private void finish(String outcome, boolean limited) {
        callsOver();
        at = At.WRITING;
        this.outcome = outcome;
        if (connection.whenWritten(this::written)) {
            pacedByClient = true;
            if (limited && at == At.WRITING) {
                timer = limit();
            }
        }
    }

    private void written() {
        if (at == At.WRITING && connection.hasFailed()) {
            clientGone();
        } else if (at == At.WRITING) {
            end(outcome);
        }
    }

    /** The answer of a backend, whose end was to be that of its connection, was not ended but cut off. */
    void backendReset() {
        backendReset = true;
    }

    /** The client is gone. */
    void clientGone() {
        if (at != At.ENDED) {
            status = status == 0 ? 499 : status;
            pacedByClient = true;
            end("the client is gone");
        }
    }

    /** The connection is being closed by the gateway, since the client does not read. */
    void cutOff(String reason) {
        if (at != At.ENDED) {
            status = status == 0 ? 499 : status;
            pacedByClient = true;
            end("cut off: " + reason);
        }
    }

    private void callsOver() {
        At before = at;
        at = At.WRITING;
        stopTimer();
        if (work != null && !work.isDone()) {
            work.cancel(true);
        }
        work = null;
        if (lane != null && before == At.QUEUED) {
            lane.cancel(false);
        }
        lane = null;
        if (turn != null) {
            turn.complete(true);
            turn = null;
        }
        source = null;
        upload.close();
        kept.forEach(ByteBuf::release);
        kept.clear();
        boolean unused = countUpload();
    }

    private void end(String outcome) {
        try {
            callsOver();
        } finally {
            at = At.ENDED;
            core.memory.give(held);
            held = 0;
            heldByUpload = 0;
            givePermitBack();
        }
        try {
            long nanos = core.spindle.clock().nanoTime() - beganAt;
            route.metrics.ended(status, nanos);
            core.ended(connection.peer(), request, path, status, bytesOut, nanos, outcome);
        } finally {
            connection.exchangeEnded(this);
        }
    }

    private void givePermitBack() {
        boolean timedOut = status == 504;
        if (pacedByClient || (timedOut && core.deadlines.isBelow(request.headers(), route.expected))) {
            permit.ignore();
        } else {
            permit.release(timedOut || status == 503);
        }
    }
}

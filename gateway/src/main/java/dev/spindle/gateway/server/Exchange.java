// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.flow.Deadline;
import dev.spindle.flow.Gathered;
import dev.spindle.flow.Outcome;
import dev.spindle.flow.Permit;
import dev.spindle.gateway.backend.BackendAnswer;
import dev.spindle.gateway.backend.BackendRequest;
import dev.spindle.gateway.backend.ClientRequest;
import dev.spindle.gateway.backend.StreamedCall;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Timeouts;
import dev.spindle.gateway.protocol.HeadBytes;
import dev.spindle.gateway.protocol.Target;
import dev.spindle.internal.TimeLimit;
import dev.spindle.internal.TimeLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A request under way, from its admission to the end of its answer. */
final class Exchange implements ClientRequest {
    /*
     * Confined to the event loop of its connection. Callbacks on other threads continue on the loop by `loop.run`.
     *
     *   READING    waits for the body, if it is held          -> QUEUED, CALLING
     *   QUEUED     waits for the turn of its order key        -> CALLING
     *   CALLING    calls the backends                         -> ANSWERING
     *   ANSWERING  a head is written, the body follows        -> WRITING
     *   WRITING    the connection writes the rest             -> ENDED
     *   each       fails before a head is written             -> WRITING with an error answer
     *   each       the client is gone or is cut off           -> ENDED
     *
     * Exchange-1  An exchange ends once, in end(), which gives back permit and memory and informs the connection. end()
     *             first calls callsOver(), which gives back the turn in the lane and all buffers, and cancels timer and
     *             calls.
     * Exchange-2  An outcome that arrives after callsOver() is released, and never written.
     * Exchange-3  At most one head is written. An answer whose head is written can only be completed or cut off.
     * Exchange-4  The admission limit learns only from exchanges whose duration is due to the gateway or the backends.
     *             The limit learns nothing from an exchange with `pacedByClient` (promise B4).
     */
    private enum At {
        READING,
        QUEUED,
        CALLING,
        ANSWERING,
        WRITING,
        ENDED
    }

    private final GatewayState gateway;
    private final ServerHandler connection;
    private final Route route;
    private final HttpRequest request;
    /** The normalised path, for the log and the order. */
    private final String path;
    /** The path and the query that backends get. */
    private final String target;

    private final Deadline deadline;
    private final Permit permit;
    /** The address of the client. */
    private final String client;

    private final long beganAt;
    private final boolean saidGrpcTimeout;
    private final Upload upload;
    private final HeldBytes held;

    private At at = At.READING;
    /** The fields that the calls of a multicast have in common; null until a call asks for them. */
    private @Nullable HeadBytes forwarded;
    /** The calls; null before they start and after {@code callsOver()}. */
    private @Nullable CompletableFuture<?> work;
    /** The task of this request in the lane of its order key. */
    private @Nullable CompletableFuture<?> lane;
    /** The future whose completion ends the turn in the lane. */
    private @Nullable CompletableFuture<Boolean> turn;
    /** The timer that runs while no call has a time limit: before the calls, and while the answer is written. */
    private @Nullable TimeLimit timer;
    /** The limit that ends a call of which the endpoint does not watch the deadline; null if there is none. */
    private Timeouts.@Nullable Entry callLimit;
    /** The call whose answer goes to the client in pieces. */
    private @Nullable StreamedCall source;
    /**
     * True if the duration of this exchange does not depend on the load, since the client set the pace or has gone, or
     * the gateway has answered with a status below 500.
     */
    private boolean pacedByClient;
    /** True if the backend reset its connection instead of ending its answer. */
    private boolean backendReset;
    /** The outcome for the access log; empty until the answer is complete. */
    private String outcome = "";
    /** The status of the answer; 0 if there is none yet. */
    private int status;

    private long bytesOut;

    Exchange(GatewayState gateway, ServerHandler connection, HttpRequest request, Admission admission) {
        this.gateway = gateway;
        this.connection = connection;
        this.request = request;
        route = admission.route();
        deadline = admission.deadline();
        permit = admission.permit();
        client = admission.client();
        Target asked = admission.target();
        path = asked.path();
        String goesOn = path.substring(route.config.strip().length());
        String absolute = goesOn.isEmpty() ? "/" : goesOn;
        target = asked.query().isEmpty() ? absolute : absolute + asked.query();
        beganAt = loop().clock().getAsLong();
        saidGrpcTimeout = gateway.deadlines.saysGrpcTimeout(request.headers());
        held = new HeldBytes(gateway.memory, loop());
        upload = new Upload(connection.allocator(), connection.onReadsChanged, route.streams());
    }

    // ---------------------------------------------------------------- for the calls

    @Override
    public ConnectionLoop loop() {
        return connection.loop();
    }

    @Override
    public ByteBufAllocator allocator() {
        return connection.allocator();
    }

    @Override
    public String target() {
        return target;
    }

    @Override
    public boolean streams() {
        return route.streams();
    }

    @Override
    public boolean gathers() {
        return route.isMulticast();
    }

    @Override
    public boolean isEnded() {
        return at == At.WRITING || at == At.ENDED;
    }

    @Override
    public boolean hold(long bytes) {
        return held.hold(bytes);
    }

    /** Returns the number of bytes that are counted for this request until its end. */
    long held() {
        return held.count();
    }

    /** Counts the bytes of the body that are held now. Returns false if memory is short or the exchange has ended. */
    private boolean countUpload() {
        return held.upload(upload.held());
    }

    @Override
    public boolean saidGrpcTimeout() {
        return saidGrpcTimeout;
    }

    @Override
    public @Nullable String host() {
        return request.headers().get(HttpHeaderNames.HOST);
    }

    @Override
    public long contentLength() {
        return HttpUtil.getContentLength(request, -1L);
    }

    @Override
    public void forwarded(HeadBytes to, boolean withType) {
        if (!route.isMulticast() || !withType) {
            writeForwarded(to, withType);
            return;
        }
        if (forwarded == null) {
            forwarded = new HeadBytes();
            writeForwarded(forwarded, true);
        }
        to.add(forwarded);
    }

    private void writeForwarded(HeadBytes to, boolean withType) {
        String scheme = connection.peer().scheme(request);
        CharSequence deadlines = gateway.deadlines.header();
        ForwardedFields.write(request, deadlines, withType, connection.isStream(), client, scheme, to);
    }

    @Override
    public ByteBuf keep(ByteBuf body) {
        if (loop().executor.inEventLoop() && !isEnded()) {
            upload.keep(body);
            return body;
        }
        if (!loop().executor.inEventLoop()) {
            ByteBuf copy = Unpooled.copiedBuffer(body);
            body.release();
            return copy; // a buffer on the heap need not be released
        }
        body.release();
        return Unpooled.EMPTY_BUFFER;
    }

    // ---------------------------------------------------------------- the request's body

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

    /** Called when all available bytes were read. */
    void readComplete() {
        pacedByClient |= at == At.READING; // at READING, the body is incomplete
        if (at == At.READING && route.streams()) {
            start();
        } else if (at == At.READING && timer == null) {
            timer = limit();
        }
        upload.flush();
    }

    @Override
    public void upload(StreamedCall to) {
        upload.to(to);
        boolean unused = countUpload();
    }

    @Override
    public void uploadWritable(StreamedCall from) {
        upload.writable(from);
        boolean unused = countUpload();
    }

    @Override
    public void uploadEnded(StreamedCall from) {
        upload.ended(from);
        boolean unused = countUpload();
    }

    /** Returns whether the upload has stopped reading from the client. */
    boolean isUploadPaused() {
        return upload.isPaused();
    }

    /** Answers that the client did not send its body in time. */
    void bodyTimedOut() {
        answer(408, "the body took too long");
    }

    // ---------------------------------------------------------------- calls

    /** Starts the calls: at once, or, if the request has an order key, after the previous requests of the key. */
    private void start() {
        Object key = route.orderKey(request, path, connection.isStream() ? connection.connectionId() : null, client);
        if (key == null) {
            call();
            return;
        }
        at = At.QUEUED;
        if (timer == null) {
            timer = limit();
        }
        try {
            lane = gateway.lanes.submitAsync(key, this::turnCame);
        } catch (RejectedExecutionException e) {
            answer(503, "the gateway is closing");
        }
    }

    /**
     * Runs on a worker, after the previous requests of this key have ended. The lane continues when the returned future
     * completes.
     */
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
        HttpMethod method = route.isPipeline() && request.method().equals(HttpMethod.HEAD) // H1
                ? HttpMethod.GET // each step needs the body of the previous answer
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
            CompletableFuture<Outcome<BackendAnswer>> call = callSingle(asked);
            work = call;
            CompletableFuture<?> unused = call.whenComplete((outcome, thrown) -> {
                if (outcome != null && !onLoop(() -> answered(outcome))) {
                    BackendAnswer.release(outcome);
                }
            });
        }
    }

    /** Calls the only backend, or the steps of a pipeline. Where it can, a limit of the loop watches the deadline. */
    private CompletableFuture<Outcome<BackendAnswer>> callSingle(BackendRequest asked) {
        Timeouts limits = gateway.deadlines.says(request.headers()) ? null : route.limits(loop());
        if (limits == null) {
            return route.callSingle(asked, deadline);
        }
        callLimit = new Timeouts.Entry(this::callTimeIsUp);
        limits.start(callLimit); // A3
        return route.callWatched(asked, deadline);
    }

    /** Ends the call at the deadline. Its cancellation counts as a timeout of the backend, if that was called. */
    private void callTimeIsUp() {
        CompletableFuture<?> late = work;
        if (!deadline.isExpired()) { // by the clock of the loop the limit began before the deadline was set
            timer = TimeLimits.set(gateway.spindle, deadline.remaining(), () -> onLoop(this::callTimeIsUp));
        } else if (late != null && !isEnded()) {
            boolean unused = late.cancel(true);
            answer(504, route.backends.get(0).endpoint + " was not answered in time");
        }
    }

    /** Runs a step on the loop; if the step throws, the connection is cut off. Returns false if the loop has ended. */
    private boolean onLoop(Runnable step) {
        return loop().run(() -> {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                gateway.transport.failures().note("a step of a request", e);
                connection.cut(backendReset);
            }
        });
    }

    /** Starts a timer for the time until the deadline. */
    private TimeLimit limit() {
        return TimeLimits.set(gateway.spindle, deadline.remaining(), () -> onLoop(this::timeIsUp));
    }

    /** Called when the deadline has passed while no call had a time limit. */
    private void timeIsUp() {
        if (at == At.READING) {
            answer(408, "the body took too long");
        } else if (at == At.QUEUED) { // B2
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
        if (callLimit != null) {
            callLimit.stop();
            callLimit = null;
        }
    }

    // ---------------------------------------------------------------- answers

    /** Writes the answer of a proxy or pipeline, or an error; completes or cuts off an answer that has begun. */
    private void answered(Outcome<BackendAnswer> outcome) {
        if (isEnded()) {
            BackendAnswer.release(outcome);
        } else if (at == At.ANSWERING) {
            if (outcome instanceof Outcome.Value<?>) {
                BackendAnswer.release(outcome);
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
            connection.writeWhole(status, answer.headers(), answer.body());
            finish("ok", true);
        } else {
            answer(Multipart.status(outcome), Multipart.reason(outcome));
        }
    }

    /** Writes the answers of several calls as one answer, or an error answer if there are none. */
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
        boolean met = outcome instanceof Outcome.Value<?>
                && gathered.outcomes().stream().anyMatch(Outcome.Value.class::isInstance);
        Multipart parts = new Multipart(connection.allocator(), route.partBeginnings, gathered);
        status = met ? 200 : parts.failedStatus();
        bytesOut = parts.body().readableBytes();
        connection.writeWhole(status, parts.headers(), parts.body());
        finish(met ? "ok" : "too few answers", true);
    }

    @Override
    public void answerHead(StreamedCall from, int status, HttpHeaders headers, long length) {
        if (at == At.CALLING) {
            at = At.ANSWERING;
            source = from;
            this.status = status;
            connection.writeHead(status, headers, length);
        }
    }

    @Override
    public boolean answerContent(ByteBuf piece) {
        if (at != At.ANSWERING) {
            piece.release();
            return true;
        }
        bytesOut += piece.readableBytes();
        boolean takesMore = connection.writePiece(piece);
        pacedByClient |= !takesMore;
        return takesMore;
    }

    @Override
    public void flush() {
        pacedByClient |= !connection.flush();
    }

    /** Called when the client takes bytes again. */
    void resume() {
        if (source != null) {
            source.resume();
        }
    }

    /** Writes an answer of the gateway itself. At ANSWERING, cuts off the begun answer; later, does nothing. */
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
     * Called when the connection has the whole answer. The exchange ends when the last byte of the answer is written.
     *
     * @param limited true if the answer is cut off at the deadline
     */
    private void finish(String outcome, boolean limited) {
        callsOver(); // the next request of the key does not wait for this client to read
        at = At.WRITING;
        this.outcome = outcome;
        if (connection.whenWritten(this::written)) {
            pacedByClient = true;
            if (limited && at == At.WRITING) {
                timer = limit();
            }
        }
    }

    /** Called when the last byte is written or its write has failed. */
    private void written() {
        if (at == At.WRITING && connection.hasFailed()) {
            clientGone();
        } else if (at == At.WRITING) {
            end(outcome);
        }
    }

    @Override
    public void backendReset() {
        backendReset = true;
    }

    /** Ends the exchange, since the client has closed the connection. */
    void clientGone() { // H5
        if (at != At.ENDED) {
            status = status == 0 ? 499 : status;
            pacedByClient = true;
            end("the client is gone");
        }
    }

    /** Ends the exchange, since the gateway closes the connection of a client that does not read. */
    void cutOff(String reason) {
        if (at != At.ENDED) {
            status = status == 0 ? 499 : status;
            pacedByClient = true;
            end("cut off: " + reason);
        }
    }

    /** Ends the parts of the exchange that serve the calls (Exchange-1). May be called twice. */
    private void callsOver() {
        At before = at;
        at = At.WRITING; // set before calls are cancelled, so that their outcomes are released (Exchange-2)
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
            turn.complete(true); // Exchange-1
            turn = null;
        }
        source = null;
        upload.close();
        boolean unused = countUpload();
    }

    /** Ends the exchange (Exchange-1). */
    private void end(String outcome) {
        try {
            callsOver();
        } finally {
            // memory and permit are given back even if the release of a buffer throws
            at = At.ENDED;
            held.end();
            givePermitBack();
        }
        try {
            long nanos = loop().clock().getAsLong() - beganAt;
            route.metrics.ended(status, nanos);
            gateway.ended(client, request, path, status, bytesOut, nanos, outcome);
        } finally {
            connection.exchangeEnded(this);
        }
    }

    /** Gives the permit back. The limit learns nothing if the client set the pace or caused a 504 by its deadline. */
    private void givePermitBack() {
        gateway.clients.give(client);
        boolean timedOut = status == 504;
        if (pacedByClient || (timedOut && gateway.deadlines.isBelow(request.headers(), route.expected))) { // Exchange-4
            permit.ignore();
        } else {
            boolean unused = (timedOut || status == 503) ? permit.overloaded() : permit.success();
        }
    }
}

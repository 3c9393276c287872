// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.ClosedException;
import dev.spindle.Stats;
import dev.spindle.Unfinished;
import dev.spindle.actor.internal.Letter;
import dev.spindle.actor.internal.Mailbox;
import dev.spindle.actor.internal.Waiter;
import dev.spindle.internal.AdaptiveSpin;
import dev.spindle.internal.Durations;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.WaitOrigin;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.report.UnfinishedView;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A reference to an actor, through which other code sends messages to the actor.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. Only {@link #send} and
 * {@link #offer(Object, Duration)} may wait; on a worker they throw an {@link IllegalStateException}.
 *
 * <p><b>Order.</b> Messages of one sender arrive in the order in which they were sent, if each is sent after the
 * previous {@code send} has returned, or the future of the previous {@code sendAsync} has completed. Messages that an
 * actor sends in its turns arrive at each target in the order of the calls, whichever method sends them. While a told
 * message waits for room in the target's mailbox, {@code offer} in a turn of the same actor returns false, unless its
 * message replaces another. Messages of {@code sendAsync} and {@code ask} then wait behind the told message.
 *
 * <p><b>Back-pressure.</b> At most {@link ActorBuilder#capacity} messages wait. At the bound, {@link #offer} returns
 * false, {@link #send} waits, and the messages of {@link #sendAsync} and {@link #ask} wait without a thread. Waiting
 * senders are served in order, and no other sender overtakes them.
 *
 * <p><b>Acceptance.</b> Every accepted message is handled once, or superseded ({@link ActorBuilder#conflate}), or, if
 * the actor ends first, {@linkplain ActorsBuilder#onDrop dropped}. A message is rejected with a {@link ClosedException}
 * if the actor was drained or halted or was ended by a failure, and with a {@link RejectedExecutionException} after a
 * shutdown of the spindle.
 *
 * <p><b>Memory consistency effects.</b> Actions in a thread before it sends a message happen-before the actor handles
 * it. The actor's handling of one message happens-before its handling of the next.
 *
 * <p><b>Cost.</b> All methods take constant time. An idle actor holds no thread and no timer.
 *
 * @param <M> the type of the messages
 */
public final class ActorRef<M> {
    private final ActorBase actor;

    ActorRef(ActorBase actor) {
        this.actor = actor;
    }

    ActorBase actor() {
        return actor;
    }

    // ---------------------------------------------------------------- messages

    /**
     * Sends {@code message} if there is room. Never waits.
     *
     * @return false if there is no room, or if the caller is an actor whose earlier messages for this actor wait for
     *     room
     * @throws NullPointerException if the message is null
     * @throws ClosedException if the actor is ending or has ended
     * @throws RejectedExecutionException after a shutdown of the spindle
     */
    public boolean offer(M message) {
        Object carried = carried(message);
        return Outbox.before(actor) == null ? accepted(actor.push(message, carried)) : actor.replace(message, carried);
    }

    private Object carried(M message) {
        Objects.requireNonNull(message, "message");
        actor.group().requireOpen(actor);
        return actor.group().carried(message);
    }

    private boolean accepted(Mailbox.Push push) {
        if (push == Mailbox.Push.CLOSED) {
            throw actor.stoppedException("a message");
        }
        return push == Mailbox.Push.QUEUED;
    }

    /**
     * Sends {@code message} as {@link #send} does, waiting for at most {@code timeout}.
     *
     * @param timeout the maximum time to wait; a negative time counts as zero
     * @return false if the time has passed; the message was not sent
     * @throws InterruptedException if interrupted while waiting; the message was not sent
     * @throws IllegalStateException on a worker of a spindle, which must not wait
     * @throws NullPointerException if an argument is null
     * @throws ClosedException if the actor is ending, or begins to end during the wait
     * @throws RejectedExecutionException after a shutdown of the spindle
     */
    public boolean offer(M message, Duration timeout) throws InterruptedException {
        return send("offer", message, Durations.toNanos(Objects.requireNonNull(timeout, "timeout")));
    }

    /**
     * Sends {@code message}, waiting for room if necessary. For threads that are not workers.
     *
     * @throws InterruptedException if interrupted while waiting; the message was not sent
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link ActorContext#tell} or
     *     {@link #sendAsync}
     * @throws NullPointerException if the message is null
     * @throws ClosedException if the actor is ending, or begins to end during the wait
     * @throws RejectedExecutionException after a shutdown of the spindle
     */
    public void send(M message) throws InterruptedException {
        boolean unused = send("send", message, Long.MAX_VALUE);
    }

    private boolean send(String method, M message, long nanos) throws InterruptedException {
        if (WorkerContext.current() != null) {
            throw new IllegalStateException(method + " would make a worker wait for room in the mailbox of actor "
                    + actor.name() + "; call tell in a turn of an actor, or sendAsync");
        }
        Object carried = carried(message);
        if (accepted(actor.push(message, carried))) {
            return true;
        }
        Send send = new Send(actor, new Letter(carried), WaitOrigin.ofThread());
        send.begin();
        try {
            long left = actor.group().await(send.stage, nanos, true);
            left = AdaptiveSpin.yieldUntil(send.stage::isDone, left, actor.group()::nanoTime);
            if (nanos == Long.MAX_VALUE) {
                send.stage.get();
            } else {
                send.stage.get(Math.max(0, left), TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException e) {
            if (actor.withdraw(send)) {
                return false;
            }
            throwIfRefused(send.stage); // too late to withdraw: the message was admitted or refused
        } catch (InterruptedException e) {
            if (actor.withdraw(send)) {
                throw e;
            }
            // F2
            Thread.currentThread().interrupt(); // too late to withdraw: the message was admitted or refused
            throwIfRefused(send.stage);
        } catch (ExecutionException e) {
            throwIfRefused(send.stage);
        } catch (IllegalStateException e) { // thrown by a simulation in which no task is left to make room
            boolean unused = actor.withdraw(send);
            throw e;
        }
        return true;
    }

    private static void throwIfRefused(CompletableFuture<?> stage) {
        try {
            stage.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RejectedExecutionException refused) {
                throw refused;
            }
            throw e;
        }
    }

    /**
     * Sends {@code message} as soon as there is room.
     *
     * @return a future that completes when the message is in the mailbox. A rejected message completes the future with
     *     a {@link ClosedException} or a {@link RejectedExecutionException}. In a turn of an actor, an
     *     {@link IllegalStateException} may name a cycle of full mailboxes. Completing the future does not withdraw the
     *     message. Dependents run in the thread that makes room, usually the worker that runs this actor, between two
     *     messages
     * @throws NullPointerException if the message is null
     */
    public CompletableFuture<@Nullable Void> sendAsync(M message) {
        try {
            Object carried = carried(message);
            Outbox before = Outbox.before(actor);
            if (before != null) {
                CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
                before.add(new Parcels.Send(actor, new Letter(carried), sent));
                return sent.copy();
            }
            if (accepted(actor.push(message, carried))) {
                return CompletableFuture.completedFuture(null);
            }
            Send send = new Send(actor, new Letter(carried), WaitOrigin.ofStage("sendAsync"));
            send.begin();
            return send.stage.copy();
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Sends a request and returns a future of the answer. While there is no room, the request waits. The request
     * contains another future, which the actor or any other thread completes with the answer.
     *
     * @param request the function that makes the request from the future to complete; runs in the calling thread
     * @param timeout the maximum time until the answer, including the wait for room
     * @return a future that completes with the answer, after {@code timeout} with a
     *     {@link java.util.concurrent.TimeoutException}, with a {@link ClosedException} as soon as the actor has ended,
     *     or with a {@link RejectedExecutionException} after a shutdown of the spindle. Completing the returned future
     *     ends the ask and cancels the future in the request. If a worker answers, dependents run in a task of their
     *     own, not in the turn of the actor
     * @throws NullPointerException if an argument or the request is null
     * @throws IllegalArgumentException if {@code timeout} is not positive
     */
    public <R extends @Nullable Object> CompletableFuture<R> ask(
            Function<? super CompletableFuture<R>, ? extends M> request, Duration timeout) {
        Durations.requirePositive("timeout", timeout);
        Headroom.requireTwice();
        Ask<R> ask = new Ask<>(actor, false);
        M message = Objects.requireNonNull(request.apply(ask.given()), "the request");
        if (ask.open(timeout)) {
            try {
                send(ask, new Letter(carried(message)));
            } catch (RejectedExecutionException e) {
                boolean unused = ask.failure(e);
            }
        }
        return ask.answer();
    }

    private void send(Ask<?> ask, Letter letter) {
        Outbox before = Outbox.before(actor);
        if (before != null) {
            before.add(new Parcels.Request(actor, letter, ask, null));
            CompletableFuture<?> ignored = ask.given().whenComplete((value, failure) -> before.lookAgain());
        } else if (!accepted(actor.offer(letter))) {
            Send send = new Send(actor, letter, WaitOrigin.ofStage("ask"));
            send.begin();
            CompletableFuture<?> ignored = send.stage.whenComplete((sent, refused) -> {
                boolean unused = refused != null && ask.failure(refused);
            });
            ask.waitsAs(send);
        }
    }

    // ---------------------------------------------------------------- the end

    /**
     * Closes the mailbox, refuses senders that wait for room, and ends the actor after it has handled the messages that
     * it has accepted. Returns at once.
     *
     * @return the future of {@link #terminated}
     */
    public CompletableFuture<@Nullable Void> drain() {
        actor.stop(true);
        return terminated();
    }

    /**
     * Closes the mailbox, and ends the actor after the message that it is handling, if any. Messages that the actor has
     * told are still delivered. Returns at once.
     *
     * @return a future that completes when the actor has ended, with the messages that it had accepted and not
     *     handled, in order; they also go to the {@linkplain ActorsBuilder#onDrop drop handler}
     */
    @SuppressWarnings("unchecked") // references have the type of the messages
    public CompletableFuture<Unfinished<M>> halt() {
        actor.stop(false);
        return terminated()
                .handle((ended, failure) ->
                        new UnfinishedView<>(List.copyOf((List<M>) actor.left()), i -> actor.toString(), List.of()));
    }

    /**
     * Returns a future that completes when the actor has ended: normally after {@link #drain} or {@link #halt}, with
     * the failure that ended it, or with a {@link java.util.concurrent.CancellationException} after a
     * {@code shutdownNow}. The future cannot be completed by its users. Dependents run in the thread that ends the
     * actor.
     */
    public CompletableFuture<@Nullable Void> terminated() {
        return actor.endListeners().terminated();
    }

    // ---------------------------------------------------------------- state

    /**
     * Returns the current counts of the actor, which are exact while the actor is idle.
     *
     * <ul>
     *   <li>{@link Stats#pending} is the number of messages in the mailbox, and may be too high by 15 while the actor
     *       runs. Answers, results, timers and watches are not counted as pending.
     *   <li>{@link Stats#completed} and {@link Stats#failed} are the numbers of messages of any kind that the actor has
     *       handled, and of those whose handling threw an exception.
     *   <li>{@link Stats#superseded} counts the messages that a newer message has replaced, when the newer message is
     *       taken from the mailbox.
     *   <li>{@link Stats#dropped} is the number of messages {@linkplain ActorsBuilder#onDrop dropped} at the end of the
     *       actor or sent by other actors after the end.
     *   <li>{@link Stats#overdrafts} is the number of messages admitted in excess of the capacity.
     *   <li>{@link Stats#accepted} is the sum of the pending, running, completed, dropped and superseded messages.
     *   <li>{@link Stats#running} is 1 while the actor runs user code.
     * </ul>
     *
     * <p>Rejected messages are not counted.
     */
    public Stats stats() {
        return actor.stats();
    }

    /** Returns a string with the name of the actor. */
    @Override
    public String toString() {
        return actor.toString();
    }

    /** The waiter of a {@code send}, {@code sendAsync} or {@code ask}. */
    private static final class Send extends Waiter {
        private final CompletableFuture<@Nullable Void> stage = new CompletableFuture<>();
        private final ActorBase actor;
        private final WaitOrigin origin;
        private final boolean outside;

        Send(ActorBase actor, Letter letter, WaitOrigin origin) {
            super(actor, letter, actor.group().nanoTime());
            this.actor = actor;
            this.origin = origin;
            outside = !actor.group().pool().isWorking();
        }

        /** Queues this waiter, and refuses it if the spindle was shut down. */
        void begin() {
            actor.await(this);
            if (!actor.group().isOpen() && actor.withdraw(this)) { // the shutdown may have missed this waiter
                refused();
            }
        }

        @Override
        public boolean isOutside() {
            return outside;
        }

        @Override
        public void granted() {
            stage.complete(null);
        }

        @Override
        public void refused() {
            stage.completeExceptionally(
                    actor.isClosing()
                            ? actor.stoppedException("a message")
                            : actor.group().shutException(actor, "rejected a message for"));
        }

        @Override
        public Object from() {
            return origin;
        }
    }
}

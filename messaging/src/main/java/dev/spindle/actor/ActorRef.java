// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Letter;
import dev.spindle.actor.internal.Mailbox;
import dev.spindle.actor.internal.Waiter;
import dev.spindle.internal.Durations;
import dev.spindle.internal.WaitOrigin;
import dev.spindle.internal.WorkerContext;
import dev.spindle.messaging.Headroom;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A reference to an actor, through which other code sends it messages.
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. Only {@link #send} may wait; it refuses to wait on
 * a worker.
 *
 * <p><b>Order.</b> Messages of one sender arrive in the order in which they were sent, if each is sent after the
 * previous {@code send} has returned, or the stage of the previous {@code sendAsync} has completed. Messages that an
 * actor sends in its turns arrive at each target in the order of the calls, for any method: while a message that it has
 * told waits for room there, {@code offer} finds no room, and {@code sendAsync} and {@code ask} wait behind it.
 *
 * <p><b>Back-pressure.</b> At most {@link ActorBuilder#capacity} messages wait. At the bound, {@link #offer} returns
 * false, {@link #send} waits, {@link #sendAsync} and {@link #ask} return a stage. Waiting senders are served in
 * order, and no other sender overtakes them.
 *
 * <p><b>Acceptance.</b> Every accepted message is handled once, or superseded ({@link #offerLatest}), or, if the actor
 * ends before, passed to the {@link DropHandler}. A message for an actor that was stopped is rejected with an
 * {@link ActorStoppedException}; after a shutdown of its spindle, with a {@link RejectedExecutionException}.
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

    /** Returns the name of the actor. */
    public String name() {
        return actor.name();
    }

    // ---------------------------------------------------------------- messages

    /**
     * Sends {@code message} if there is room. Never waits.
     *
     * @return false if there is no room
     * @throws NullPointerException if the message is null
     * @throws ActorStoppedException if the actor was stopped
     * @throws RejectedExecutionException after a shutdown of the spindle
     */
    public boolean offer(M message) {
        return accepted(tryOffer(message));
    }

    private Mailbox.Push tryOffer(M message) {
        Letter letter = letter(message);
        return Outbox.before(actor) == null ? actor.offer(letter) : Mailbox.Push.FULL;
    }

    private Letter letter(M message) {
        Objects.requireNonNull(message, "message");
        actor.group().requireOpen(actor);
        return new Letter(actor.group().carried(message));
    }

    private boolean accepted(Mailbox.Push push) {
        if (push == Mailbox.Push.CLOSED) {
            throw actor.stoppedException("a message");
        }
        return push == Mailbox.Push.QUEUED;
    }

    /**
     * Replaces the waiting message with the same {@code key}, if any; otherwise sends {@code message} if there is room.
     * Never waits. The message keeps the place of the one that it supersedes, so a steady stream cannot postpone it.
     *
     * @param key the key of the message, compared by {@code equals}
     * @return false if no message with the key waits and there is no room
     * @throws NullPointerException if the key or the message is null
     * @throws ActorStoppedException if the actor was stopped
     * @throws RejectedExecutionException after a shutdown of the spindle
     */
    public boolean offerLatest(Object key, M message) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(message, "message");
        actor.group().requireOpen(actor);
        Object carried = actor.group().carried(message);
        if (!actor.isClosing() && Outbox.before(actor) != null) {
            return LatestLetter.replace(actor, key, carried);
        }
        return accepted(actor.isClosing() ? Mailbox.Push.CLOSED : LatestLetter.offer(actor, key, carried));
    }

    /**
     * Sends {@code message}, waiting for room if necessary. For threads that are not workers.
     *
     * @throws InterruptedException if interrupted while waiting; the message was not sent
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link ActorContext#tell} or
     *     {@link #sendAsync}
     * @throws NullPointerException if the message is null
     * @throws ActorStoppedException if the actor was stopped before or during the wait
     * @throws RejectedExecutionException after a shutdown of the spindle
     */
    public void send(M message) throws InterruptedException {
        if (WorkerContext.current() != null) {
            throw new IllegalStateException("send would make a worker wait for room in the mailbox of actor " + name()
                    + "; call tell in a turn of an actor, or sendAsync");
        }
        Letter letter = letter(message);
        if (accepted(actor.offer(letter))) {
            return;
        }
        Send send = new Send(actor, letter, WaitOrigin.ofThread());
        send.begin();
        try {
            actor.group().await(send.stage, true);
            send.stage.get();
        } catch (InterruptedException e) {
            if (actor.withdraw(send)) {
                throw e;
            }
            // F2
            Thread.currentThread().interrupt(); // too late: the message was admitted or refused
            throwIfRefused(send.stage);
        } catch (ExecutionException e) {
            throwIfRefused(send.stage);
        } catch (IllegalStateException e) { // thrown by a simulation in which no task is left to make room
            boolean unused = actor.withdraw(send);
            throw e;
        }
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
     * @return a stage that completes when the message is in the mailbox, or with an {@link ActorStoppedException}, a
     *     {@link RejectedExecutionException}, or, behind messages that an actor has told, a
     *     {@link MailboxDeadlockException}. Dependents run in the thread that makes room, after the message that it
     *     handles: usually on the worker that runs this actor
     * @throws NullPointerException if the message is null
     */
    public CompletionStage<@Nullable Void> sendAsync(M message) {
        try {
            Letter letter = letter(message);
            Outbox before = Outbox.before(actor);
            if (before != null) {
                CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
                before.add(new Parcels.Send(actor, letter, sent));
                return sent.minimalCompletionStage();
            }
            if (accepted(actor.offer(letter))) {
                return CompletableFuture.completedStage(null);
            }
            Send send = new Send(actor, letter, WaitOrigin.ofStage("sendAsync"));
            send.begin();
            return send.stage.minimalCompletionStage();
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /**
     * Sends a request and returns a stage for the answer. If there is no room, the request waits for it.
     *
     * @param request the function that makes the request, which holds the place for the answer; runs in the calling
     *     thread
     * @param limit the time limit of the answer, including the wait for room
     * @return a stage that completes with the answer, after {@code limit} with a
     *     {@link java.util.concurrent.TimeoutException}, or with an {@link ActorStoppedException} as soon as the
     *     actor has ended. Dependents run in the thread that completes the stage
     * @throws NullPointerException if an argument or the request is null
     * @throws IllegalArgumentException if {@code limit} is not positive
     */
    public <R extends @Nullable Object> CompletionStage<R> ask(
            Function<? super Reply<R>, ? extends M> request, Duration limit) {
        Durations.requirePositive("limit", limit);
        Headroom.require();
        Reply<R> reply = new Reply<>(actor);
        M message = Objects.requireNonNull(request.apply(reply), "the request");
        if (reply.open(limit)) {
            try {
                send(reply, letter(message));
            } catch (RejectedExecutionException e) {
                boolean unused = reply.failure(e);
            }
        }
        return reply.answer().minimalCompletionStage();
    }

    private void send(Reply<?> reply, Letter letter) {
        Outbox before = Outbox.before(actor);
        if (before != null) {
            before.add(new Parcels.Ask(actor, letter, reply, null));
            CompletableFuture<?> ignored = reply.answer().whenComplete((value, failure) -> before.lookAgain());
        } else if (!accepted(actor.offer(letter))) {
            Send send = new Send(actor, letter, WaitOrigin.ofStage("ask"));
            send.begin();
            CompletableFuture<?> ignored = send.stage.whenComplete((sent, refused) -> {
                boolean unused = refused != null && reply.failure(refused);
            });
            reply.waitsAs(send);
        }
    }

    // ---------------------------------------------------------------- the end

    /**
     * Closes the mailbox, refuses senders that wait for room, and ends the actor after it has handled the messages that
     * it has accepted. Returns at once; {@link #terminated} completes when the actor has ended.
     */
    public void stop() {
        actor.stop(true);
    }

    /**
     * Closes the mailbox, and ends the actor after the message that it handles now. Waiting messages go to the
     * {@link DropHandler}; messages that the actor has told are still delivered. Returns at once; {@link #terminated}
     * completes when the actor has ended.
     */
    public void halt() {
        actor.stop(false);
    }

    /**
     * Returns a stage that completes when the actor has ended for any reason. Dependents run in the thread that ends
     * it.
     */
    public CompletionStage<ActorExit> terminated() {
        return actor.endListeners().terminated();
    }

    /** Returns an estimate of the number of messages in the request lane. */
    public int estimatedDepth() {
        return actor.estimatedDepth();
    }

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
            if (!actor.group().isOpen() && actor.withdraw(this)) { // the shutdown may have missed it
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

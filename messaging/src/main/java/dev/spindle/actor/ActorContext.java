// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.internal.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operations of an actor in its turn, that is, while a method of its {@link Actor} runs, in the thread that runs
 * it. Called elsewhere, all methods except {@link #ref} throw an {@link IllegalStateException}.
 *
 * <p><b>Blocking.</b> No method waits. A message for a full mailbox goes to the outbox of the actor, which delivers
 * messages in the order of the tells. Until the outbox is empty, the actor takes no message from its request lane, but
 * still handles its reply lane: answers to its asks, results of piped stages, and timers. A cycle of actors that wait
 * for each other is detected and resolved by an {@linkplain Overdraft overdraft}.
 *
 * <p><b>Replies.</b> An actor may have up to 1,024 asks and pipes open; each of them reserves a place in the reply lane
 * when it is created, so its outcome is never refused. Further asks wait in the outbox until answers arrive.
 *
 * @param <M> the type of the actor's messages
 */
public final class ActorContext<M> {
    private final ActorCell<M> actor;

    ActorContext(ActorCell<M> actor) {
        this.actor = actor;
    }

    /** Returns the reference of this actor. May be called anywhere. */
    public ActorRef<M> ref() {
        return actor.ref();
    }

    /**
     * Sends a message to {@code target}. Messages to one target arrive in the order of the tells. A message for an
     * actor that has stopped goes to the {@link DropHandler}.
     *
     * @throws IllegalStateException if 1,024 messages of this actor wait for room already, or outside a turn
     * @throws RejectedExecutionException if the spindle of the target was shut down
     */
    public <T> void tell(ActorRef<T> target, T message) {
        actor.requireTurn("tell");
        actor.tell(target.actor(), Objects.requireNonNull(message, "message"));
    }

    /**
     * Asks {@code target}, and delivers the answer to this actor as a message.
     *
     * @param request the function that makes the request, which holds the place for the answer
     * @param limit the time limit of the answer, including the wait for room
     * @param answer the function that makes a message from the answer, which is null after a failure, and the failure,
     *     which is null after a success: a {@link java.util.concurrent.TimeoutException}, an
     *     {@link ActorStoppedException}, or the failure that the target answered with. Runs in a turn of this actor
     * @throws IllegalStateException outside a turn
     */
    public <T, R extends @Nullable Object> void ask(
            ActorRef<T> target,
            Function<? super Reply<R>, ? extends T> request,
            Duration limit,
            BiFunction<? super @Nullable R, @Nullable Throwable, ? extends M> answer) {
        actor.requireTurn("ask");
        Durations.requirePositive("limit", limit);
        Objects.requireNonNull(answer, "answer");
        ActorBase asked = target.actor();
        Reply<R> reply = new Reply<>(asked);
        T message = Objects.requireNonNull(request.apply(reply), "the request");
        OpenReplies<M> replies = actor.replies();
        OpenReply<M, R> place =
                new OpenReply<>(replies, actor.group().capture(), reply, Objects.requireNonNull(answer, "answer"));
        replies.add(place);
        CompletionStage<R> ignored = reply.answer().whenComplete(place);
        if (reply.open(limit)) {
            try {
                actor.ask(asked, message, reply, place);
            } catch (RejectedExecutionException e) {
                boolean unused = reply.failure(e);
            }
        }
    }

    /**
     * Delivers the result of {@code stage} to this actor as a message.
     *
     * @param result the function that makes a message from the result, which is null after a failure, and the failure,
     *     which is null after a success. Runs in a turn of this actor
     * @throws IllegalStateException if 1,024 asks and pipes of this actor are open already, or outside a turn
     */
    public <T extends @Nullable Object> void pipe(
            CompletionStage<T> stage, BiFunction<? super @Nullable T, @Nullable Throwable, ? extends M> result) {
        actor.requireTurn("pipe");
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(result, "result");
        OpenReplies<M> replies = actor.replies();
        replies.requireRoom(stage);
        OpenReply<M, T> place = new OpenReply<>(replies, actor.group().capture(), null, result);
        replies.add(place);
        place.open();
        boolean begun = false;
        try {
            CompletionStage<T> ignored = stage.whenComplete(place);
            begun = true;
        } finally {
            if (!begun) {
                place.withdraw();
            }
        }
    }

    /**
     * Delivers {@code message} to this actor once, after {@code delay}. Replaces the timer with the same key, if any.
     * A restart or the end of the actor cancels all its timers.
     *
     * @param key the key of the timer, compared by {@code equals}
     * @throws RejectedExecutionException if the spindle was shut down
     */
    public void timer(Object key, Duration delay, M message) {
        set("timer", key, delay, null, message);
    }

    /**
     * Delivers {@code message} to this actor repeatedly, each time {@code period} after the previous one was handled;
     * for the first time after {@code period}. A shutdown of the spindle ends the repetition.
     *
     * @throws IllegalArgumentException if {@code period} is not positive
     * @throws RejectedExecutionException if the spindle was shut down
     */
    public void every(Object key, Duration period, M message) {
        set("every", key, period, Durations.requirePositive("period", period), message);
    }

    private void set(String what, Object key, Duration delay, @Nullable Duration period, M message) {
        actor.requireTurn(what);
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(delay, "delay");
        actor.timers().set(key, delay, period, Objects.requireNonNull(message, "message"));
    }

    /**
     * Cancels the timer with {@code key}. Its message is not delivered, even if it was due.
     *
     * @return false if there is no such timer
     */
    public boolean cancel(Object key) {
        actor.requireTurn("cancel");
        return actor.timers().cancel(Objects.requireNonNull(key, "key"));
    }

    /**
     * Delivers {@code message} to this actor once when {@code target} has stopped for any reason, or at once if it has
     * stopped already. The message arrives after all messages that the target has told this actor. It goes to the end
     * of the request lane, even if the lane is full. A restart keeps watches.
     */
    public void watch(ActorRef<?> target, M message) {
        addWatch(target, Objects.requireNonNull(message, "message"));
    }

    /**
     * Watches {@code target} as {@link #watch(ActorRef, Object)} does, with a message that tells the cause.
     *
     * @param message the function that makes the message from the failure that ended the target and the message that
     *     the target could not handle; both may be null, see {@link ActorExit}. Runs in a turn of this actor
     */
    public void watch(
            ActorRef<?> target, BiFunction<? super @Nullable Throwable, @Nullable Object, ? extends M> message) {
        addWatch(target, new Watch.Made(Objects.requireNonNull(message, "message")));
    }

    private void addWatch(ActorRef<?> target, Object message) {
        actor.requireTurn("watch");
        Watches watches = actor.watches();
        watches.add(new Watch(watches, target.actor(), actor.group().capture(), message));
    }

    /**
     * Ends every {@link #watch} of this actor over {@code target}; none of their messages is delivered, even if the
     * target has stopped. A watch ends when its message has been handled, and when this actor stops.
     */
    public void unwatch(ActorRef<?> target) {
        actor.requireTurn("unwatch");
        actor.watches().removeAll(target.actor());
    }

    /** Stops this actor after it has handled the messages that it has accepted: {@link ActorRef#stop}. */
    public void stop() {
        actor.requireTurn("stop");
        actor.stop(true);
    }

    @Override
    public String toString() {
        return "context of " + actor;
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.internal.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The operations of an actor in a turn: while a method of its {@link Actor} runs, in the thread that runs the method.
 * Called elsewhere, all methods except {@link #ref} throw an {@link IllegalStateException}.
 *
 * <p><b>Blocking.</b> No method waits. A message for a full mailbox goes to the outbox of the actor, which delivers
 * messages in the order of the tells. Until the outbox is empty, the actor takes no message from its request lane, but
 * still handles its reply lane: answers to its asks, results of piped stages, and timers. A cycle of actors that wait
 * for room in each other's mailboxes is detected. Messages accepted in excess of the capacities resolve the cycle, and
 * are counted ({@link dev.spindle.Stats#overdrafts}).
 *
 * <p><b>Replies.</b> An actor may have up to 1,024 asks and pipes open; each of them reserves a place in the reply lane
 * when it is created, so its outcome is never refused. Further asks wait in the outbox until answers arrive; a further
 * pipe is refused with an {@link IllegalStateException}.
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
     * actor that has stopped is {@linkplain ActorsBuilder#onDrop dropped}.
     *
     * @throws IllegalStateException if 1,024 messages of this actor wait for room already, or outside a turn
     * @throws RejectedExecutionException if the spindle of the target was halted, can start no thread, or was shut down
     *     and is not the spindle of this actor
     */
    public <T> void tell(ActorRef<T> target, T message) {
        actor.requireTurn("tell");
        actor.tell(target.actor(), Objects.requireNonNull(message, "message"));
    }

    /**
     * Asks {@code target}, and delivers the answer to this actor as a message.
     *
     * @param request the function that makes the request from a future, which the target completes
     * @param timeout the maximum time until the answer, including the wait for room
     * @param answer the function that makes a message from the answer and the failure; runs in a turn of this actor.
     *     The answer is null after a failure, and the failure is null after a success. The failure is a
     *     {@link java.util.concurrent.TimeoutException}, a {@link dev.spindle.ClosedException}, a
     *     {@link RejectedExecutionException}, an {@link IllegalStateException} that names a cycle of full mailboxes, or
     *     the failure with which the target completed the future
     * @throws IllegalStateException outside a turn
     */
    public <T, R extends @Nullable Object> void ask(
            ActorRef<T> target,
            Function<? super CompletableFuture<R>, ? extends T> request,
            Duration timeout,
            BiFunction<? super @Nullable R, @Nullable Throwable, ? extends M> answer) {
        actor.requireTurn("ask");
        Durations.requirePositive("timeout", timeout);
        Objects.requireNonNull(answer, "answer");
        ActorBase asked = target.actor();
        Ask<R> reply = new Ask<>(asked, true);
        T message = Objects.requireNonNull(request.apply(reply.given()), "the request");
        OpenReplies<M> replies = actor.replies();
        OpenReply<M, R> place =
                new OpenReply<>(replies, actor.group().capture(), reply, Objects.requireNonNull(answer, "answer"));
        replies.add(place);
        CompletionStage<R> ignored = reply.answer().whenComplete(place);
        if (reply.open(timeout)) {
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
     * @param result the function that makes a message from the result and the failure; runs in a turn of this actor.
     *     The result is null after a failure, and the failure is null after a success
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
     * Delivers {@code message} to this actor once, after {@code delay}. A restart or the end of the actor cancels the
     * delivery.
     *
     * @return a future that completes when the actor takes the message. Any thread may cancel the future, which
     *     prevents the delivery even if the delay has passed
     * @throws RejectedExecutionException if the spindle was shut down
     */
    public Future<?> schedule(M message, Duration delay) {
        return set("schedule", message, delay, null);
    }

    /**
     * Delivers {@code message} to this actor after {@code delay}, and again each time {@code delay} after the actor has
     * handled the message. A restart or the end of the actor, and a shutdown of the spindle, end the repetition.
     *
     * @return a future whose cancellation, in any thread, ends the repetition
     * @throws IllegalArgumentException if {@code delay} is not positive
     * @throws RejectedExecutionException if the spindle was shut down
     */
    public Future<?> scheduleWithFixedDelay(M message, Duration delay) {
        return set("scheduleWithFixedDelay", message, delay, Durations.requirePositive("delay", delay));
    }

    private Future<?> set(String what, M message, Duration delay, @Nullable Duration period) {
        actor.requireTurn(what);
        Objects.requireNonNull(delay, "delay");
        return actor.timers().set(delay, period, Objects.requireNonNull(message, "message"));
    }

    /**
     * Delivers a message to this actor once when {@code target} has ended for any reason, or at once if {@code target}
     * has ended already. The message arrives after all messages that the target has told this actor. It goes to the end
     * of the request lane, even if the lane is full. A restart keeps watches.
     *
     * @param message the function that makes the message from the failure that ended the target, and the message whose
     *     handling failed; runs in a turn of this actor. Both are null if the target was drained or halted
     */
    public void watch(
            ActorRef<?> target, BiFunction<? super @Nullable Throwable, @Nullable Object, ? extends M> message) {
        actor.requireTurn("watch");
        Objects.requireNonNull(message, "message");
        Watches watches = actor.watches();
        watches.add(new Watch(watches, target.actor(), actor.group().capture(), message));
    }

    /**
     * Ends every watch of this actor over {@code target}: none of their messages is delivered, even if the target has
     * ended. Without this call, a watch ends when its message is handled, or when this actor ends.
     */
    public void unwatch(ActorRef<?> target) {
        actor.requireTurn("unwatch");
        actor.watches().removeAll(target.actor());
    }

    @Override
    public String toString() {
        return "context of " + actor;
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.Activity;
import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.Unfinished;
import dev.spindle.internal.Durations;
import dev.spindle.internal.HandedContext;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.wait.Closing;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A group of actors that run on the workers of a {@link Spindle}. {@link Spindle#waits} lists which actors wait for
 * which.
 *
 * <pre>{@code
 * try (Actors actors = Actors.create(spindle)) {
 *     ActorRef<String> log = actors.actor("log", () -> (line, self) -> file.write(line));
 *     log.send("hello"); // from any thread; waits while the mailbox is full
 * }
 * }</pre>
 *
 * <p><b>Thread safety.</b> All methods may be called by any thread. Only {@link #close} may wait; on a worker it throws
 * an {@link IllegalStateException}.
 *
 * <p><b>Closing.</b> An actor exists until it ends: its group refers to the actor, and the spindle refers to a group
 * with actors. After {@link Spindle#shutdown} only messages of its workers are accepted, and other senders that wait
 * for room are refused. Actors handle the messages that they have accepted, and all messages that actors send in their
 * turns. When no other task is left, unanswered asks fail with a {@link RejectedExecutionException}. Then all actors
 * end, before the spindle terminates. {@link Spindle#shutdownNow} ends all actors. No actor begins another message;
 * waiting messages go to the {@linkplain ActorsBuilder#onDrop drop handler}, and a later {@link #halt} or
 * {@link #close(Duration)} reports them. {@link ActorRef#terminated} fails with a
 * {@link java.util.concurrent.CancellationException}.
 *
 * <p><b>Contexts.</b> If the spindle has a {@linkplain dev.spindle.SpindleBuilder#taskDecorator task decorator}, a
 * message is handled in the context of its sender; answers, results, timers and watches in the context of the turn that
 * requested them; and an instance starts and stops in the context of the thread that started the actor. User code
 * begins with a clear interrupt flag.
 */
public final class Actors implements AutoCloseable {
    private final ActorGroup group;

    Actors(ActorsBuilder options) {
        BiConsumer<? super ActorRef<?>, Object> handler = options.onDrop;
        group = new ActorGroup(
                options.spindle,
                options.maxBatch,
                handler == null ? null : (actor, message) -> handler.accept(((ActorCell<?>) actor).ref(), message));
    }

    /** Returns a new group with the default options. */
    public static Actors create(Spindle spindle) {
        return builder(spindle).build();
    }

    /** Returns a builder for a group. */
    public static ActorsBuilder builder(Spindle spindle) {
        return new ActorsBuilder(spindle);
    }

    // ---------------------------------------------------------------- starts

    /**
     * Starts an actor with the default options: a capacity of 1,024, and a failure stops it. An exception of the
     * factory is thrown to the caller, and no actor is started.
     *
     * @param name the name for messages and failure reports; need not be unique
     * @param factory the factory that creates an instance for each start, in the calling thread
     * @throws NullPointerException if the factory returns null
     * @throws RejectedExecutionException after {@link #drain} or a shutdown of the spindle
     */
    public <M> ActorRef<M> actor(String name, Supplier<? extends Actor<M>> factory) {
        return actorBuilder(name, factory).build();
    }

    /**
     * Returns a builder of actors with options. In a chain of calls, a factory that is a lambda needs the type of the
     * messages, as in {@code actors.<Message>actorBuilder("counter", () -> new Counter(7)).build()}.
     */
    public <M> ActorBuilder<M> actorBuilder(String name, Supplier<? extends Actor<M>> factory) {
        return new ActorBuilder<>(this, name, factory);
    }

    <M> ActorRef<M> start(ActorOptions options) {
        ActorCell<M> actor = new ActorCell<>(group, options);
        group.start(actor, actor.beginSignal());
        return actor.ref();
    }

    /** Returns the context of the calling thread, or null if there is no task decorator. */
    @Nullable
    HandedContext capture() {
        return group.capture();
    }

    // ---------------------------------------------------------------- figures

    /** Returns an estimate of the number of actors that have not ended. */
    public int size() {
        return group.size();
    }

    /**
     * Returns the sums of the counts that {@link ActorRef#stats} returns, of all actors, including those that have
     * ended. The name is that of the spindle. A group has no capacity of its own. Takes time in proportion to the
     * number of actors.
     */
    public Stats stats() {
        return group.stats();
    }

    /**
     * Returns at most {@code n} of the actors that run, have pending messages, or wait for room in the mailbox of
     * another actor; those with the most pending messages first. {@link Activity#waitsFor} is the wait for room.
     * {@link Activity#runningFor} is null and {@link Activity#oldestAge} is zero, since an actor reads no clock when a
     * message arrives. Takes time in proportion to the number of actors.
     *
     * @throws IllegalArgumentException if {@code n} is negative
     */
    public List<Activity> busiest(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("n must not be negative, is " + n);
        }
        return group.all().stream()
                .filter(ActorBase::isBusy)
                .<Activity>map(ActorBase::activity)
                .sorted(Comparator.comparingInt(Activity::pending).reversed())
                .limit(n)
                .toList();
    }

    // ---------------------------------------------------------------- the end

    /**
     * Ends all actors after they have handled the messages that they have accepted. No more actors can be started.
     *
     * @return a future that completes when the last actor has ended
     */
    public CompletableFuture<@Nullable Void> drain() {
        Headroom.requireTwice();
        return group.stop(true).copy();
    }

    /**
     * Ends each actor at once, or after the message that it is handling. No more actors can be started.
     *
     * @return a future that completes when the last actor has ended, with the messages that were not handled, by actor.
     *     These also went to the {@linkplain ActorsBuilder#onDrop drop handler}, and include messages that actors told
     *     to actors that had ended
     */
    public CompletableFuture<Unfinished<Object>> halt() {
        Headroom.requireTwice();
        return group.stop(false).thenApply(ended -> group.unfinished());
    }

    /**
     * Drains all actors, and waits until the last has ended. If the calling thread is interrupted,
     * {@linkplain #halt halts} the actors, interrupts what they handle, continues to wait, and restores the interrupt
     * status before it returns.
     *
     * <p>With a {@link dev.spindle.SpindleBuilder#closeTimeout} of the spindle, does what {@link #close(Duration)} does
     * with that time, and logs the report if it has halted. A close that has waited for 10 s logs once which actors
     * run.
     *
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link #drain}
     */
    @Override
    public void close() {
        boolean unused = new Steps().close(refusal());
    }

    /**
     * Drains all actors, and waits until the last has ended, at most for {@code timeout}. When the time has passed,
     * {@linkplain #halt halts} the actors, interrupts what they handle, and returns at most 1 s later, even if an actor
     * does not react to its interrupt. If the calling thread is interrupted, does the same at once, and restores the
     * interrupt status before it returns.
     *
     * @return the messages that were not handled, as in {@link #halt}, and the actors that still run
     * @throws IllegalArgumentException if {@code timeout} is negative
     * @throws IllegalStateException on a worker of a spindle, which must not wait: use {@link #drain}
     */
    public Unfinished<Object> close(Duration timeout) {
        return new Steps().close(refusal(), Durations.requireLimit("timeout", timeout));
    }

    private @Nullable String refusal() {
        return WorkerContext.current() == null
                ? null
                : "close would make a worker wait for " + this + "; call drain instead";
    }

    private final class Steps extends Closing<Object> {
        Steps() {
            super(group.pool(), Actors.this.toString());
        }

        @Override
        protected CompletableFuture<?> drain() {
            Headroom.requireTwice();
            return group.stop(true);
        }

        @Override
        protected void halt() {
            CompletableFuture<?> unused = group.stop(false);
            group.interruptAll();
        }

        @Override
        protected Unfinished<Object> unfinished() {
            return group.unfinished();
        }

        @Override
        protected List<Activity> running() {
            return group.running();
        }
    }

    @Override
    public String toString() {
        return group.toString();
    }
}

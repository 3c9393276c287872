// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.Activity;
import dev.spindle.ClosedException;
import dev.spindle.Stats;
import dev.spindle.actor.internal.Carried;
import dev.spindle.actor.internal.Letter;
import dev.spindle.actor.internal.Mailbox;
import dev.spindle.actor.internal.MailboxCycles;
import dev.spindle.actor.internal.Waiter;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.report.ActivityView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parts of an actor other than its behaviour: the mailbox, the outbox, and the thread that runs user code. */
abstract class ActorBase extends Mailbox implements MailboxCycles.Node {
    private static final VarHandle HANDLED;

    static {
        try {
            HANDLED = MethodHandles.lookup().findVarHandle(ActorBase.class, "handled", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final ActorCounts NO_COUNTS = new ActorCounts();

    private final ActorGroup group;
    private final ActorOptions options;

    @Nullable
    ActorBase previous; // the previous actor in the list of the group; guarded by the group's lock

    @Nullable
    ActorBase next;

    private volatile @Nullable Outbox outbox; // written by the owner, read by any thread
    private volatile @Nullable EndListeners endListeners; // created under the monitor
    private volatile @Nullable ConcurrentHashMap<Object, LatestLetter> latest; // created under the monitor
    private @Nullable Thread turnOf; // the thread that runs user code of this actor; a read by another thread is racy
    private volatile @Nullable ActorCounts counts; // created under the monitor
    private long handled; // the number of handled messages of both lanes; written by the owner

    ActorBase(ActorGroup group, ActorOptions options) {
        this.group = group;
        this.options = options;
    }

    // ---------------------------------------------------------------- for any thread

    /** Stops the actor at once, or, if {@code handleAccepted}, after it has handled the accepted messages. */
    abstract void stop(boolean handleAccepted);

    /** Sends a signal that starts or restarts the behaviour. */
    abstract void signalBegin();

    /**
     * Ends the actor after a halt of the pool: in the calling thread if the actor is idle, otherwise in the thread of
     * its owner.
     */
    abstract void halted();

    /** Ends the actor in the calling thread, which owns the actor. Called if the pool no longer runs the actor. */
    abstract void abandon();

    /** Passes a message of either lane, plain or {@link Carried}, to the behaviour. For the owner. */
    abstract void receive(Object message);

    /** Reports a failure of the behaviour, and reacts as the supervision says. For the owner. */
    abstract void failed(Throwable failure, @Nullable Object message);

    /** Returns whether the behaviour receives no more messages. For the owner. */
    abstract boolean isEnding();

    ActorGroup group() {
        return group;
    }

    ActorOptions options() {
        return options;
    }

    String name() {
        return options.name();
    }

    @Override
    protected int capacity() {
        return options.capacity();
    }

    @Override
    protected void ready() {
        group.ready(this);
    }

    @Override
    public @Nullable Waiter edge() {
        Outbox own = outbox;
        return own == null ? null : own.edge();
    }

    @Override
    public void publish(Waiter edge) {
        outbox().publish(edge);
    }

    /** Returns the thread that runs user code of this actor, or null. Racy. */
    @Nullable
    Thread estimatedThread() {
        return turnOf;
    }

    // ---------------------------------------------------------------- counts

    private ActorCounts counts() {
        ActorCounts own = counts;
        if (own == null) {
            synchronized (this) {
                own = counts == null ? new ActorCounts() : counts;
                counts = own;
            }
        }
        return own;
    }

    private ActorCounts countsSoFar() {
        ActorCounts own = counts;
        return own == null ? NO_COUNTS : own;
    }

    /** Counts an event, for this actor and for its group. */
    final void count(Function<ActorCounts, LongAdder> which) {
        which.apply(counts()).increment();
        which.apply(group.counts()).increment();
    }

    final void countHandled() {
        HANDLED.setOpaque(this, handled + 1);
    }

    /** Counts superseded messages, for this actor alone. */
    final void countSuperseded(int more) {
        counts().superseded.add(more);
    }

    final long handled() {
        return (long) HANDLED.getOpaque(this);
    }

    final long superseded() {
        return countsSoFar().superseded.sum();
    }

    final int running() {
        return turnOf == null ? 0 : 1;
    }

    Stats stats() {
        return countsSoFar().stats(name(), handled(), superseded(), estimatedDepth(), running(), capacity(), 1);
    }

    /** Returns what this actor does and waits for. */
    ActivityView activity() {
        return new ActivityView(
                Activity.Kind.HANDLER,
                this::toString,
                null,
                null,
                null,
                turnOf,
                null,
                estimatedDepth(),
                Duration.ZERO,
                superseded(),
                false,
                () -> group.pool().host().waitOf(this));
    }

    /** Returns whether messages wait for this actor, or this actor runs or waits for room elsewhere. */
    boolean isBusy() {
        return estimatedDepth() > 0 || turnOf != null || edge() != null;
    }

    EndListeners endListeners() {
        EndListeners there = endListeners;
        if (there == null) {
            synchronized (this) {
                there = endListeners;
                if (there == null) {
                    there = new EndListeners(this);
                    endListeners = there;
                }
            }
        }
        return there;
    }

    List<Ask<?>> openAsks() {
        EndListeners there = endListeners;
        return there == null ? List.of() : there.openAsks();
    }

    ConcurrentHashMap<Object, LatestLetter> latest() {
        ConcurrentHashMap<Object, LatestLetter> there = latest;
        if (there == null) {
            synchronized (this) {
                there = latest;
                if (there == null) {
                    there = new ConcurrentHashMap<>();
                    latest = there;
                }
            }
        }
        return there;
    }

    /** Refuses the waiting senders that are not workers of the spindle. Called after a shutdown. */
    void refuseOutside() {
        for (Waiter waiter : waiting()) {
            if (waiter.isOutside() && withdraw(waiter)) {
                waiter.refused();
            }
        }
    }

    /** Fails the unanswered asks; returns false if there are none. Called when no task that could answer is left. */
    boolean refuseAsks() {
        List<Ask<?>> open = openAsks();
        for (Ask<?> ask : open) {
            call(() -> {
                boolean unused = ask.failure(group.shutException(this, "ended an ask of"));
            });
        }
        return !open.isEmpty();
    }

    /**
     * Stops the actor, unless it is being stopped already. Called after a shutdown, when messages can no longer reach
     * the actor.
     */
    void stopQuietly() {
        if (!isClosing()) {
            stop(true);
        }
    }

    ClosedException stoppedException(String what) {
        return new ClosedException("actor " + name() + " is stopped and rejected " + what, null);
    }

    /** Returns the accepted messages that a halt has left unhandled. For the owner, or after the end of the actor. */
    abstract List<Object> left();

    /**
     * Sends a message without waiting. If the message has a key, it replaces the waiting message with that key, if any.
     *
     * @param carried the message, with its context
     */
    Push push(Object message, Object carried) {
        Function<Object, ?> keyOf = options.keyOf();
        Object key = keyOf == null ? null : keyOf.apply(message);
        if (key == null) {
            return offer(new Letter(carried));
        }
        return isClosing() ? Push.CLOSED : LatestLetter.offer(this, key, carried);
    }

    /** Replaces the waiting message with the key of {@code message}; returns false if there is no such message. */
    boolean replace(Object message, Object carried) {
        Function<Object, ?> keyOf = options.keyOf();
        Object key = keyOf == null ? null : keyOf.apply(message);
        return key != null && LatestLetter.replace(this, key, carried);
    }

    /** Passes the message of a letter that will not be handled to the drop handler. */
    void drop(Letter letter) {
        Object message = letter.take();
        if (message != null) {
            group.dropped(this, message);
        }
    }

    @Override
    protected void callbackFailed(Throwable failure) {
        group.report(this, null, failure);
    }

    /**
     * Runs the dependents of a future, and reports an exception. Unless user code of the actor is running, clears the
     * interrupt status first.
     */
    void call(Runnable dependents) {
        if (turnOf == null) {
            boolean unused = Thread.interrupted();
        }
        try {
            dependents.run();
        } catch (Throwable t) {
            callbackFailed(t);
        }
    }

    // ---------------------------------------------------------------- for the owner

    /** Records that the calling thread runs user code of this actor, and clears its interrupt status. */
    final void enter() {
        boolean unused = Thread.interrupted(); // A4
        turnOf = Thread.currentThread();
        Outbox own = outbox;
        if (own != null && !own.isEmpty()) {
            own.beginTurn();
        }
    }

    final void leave() {
        turnOf = null;
        Outbox own = outbox;
        if (own != null) {
            own.endTurn();
        }
    }

    boolean isTurnOf(Thread thread) {
        return turnOf == thread;
    }

    Outbox outbox() {
        Outbox own = outbox;
        if (own == null) {
            own = new Outbox(this);
            outbox = own;
        }
        return own;
    }

    final void flush() {
        Outbox own = outbox;
        if (own != null && !own.isEmpty()) {
            own.flush();
        }
    }

    final boolean isFlushed() {
        Outbox own = outbox;
        return own == null || own.isEmpty();
    }

    /** Throws an exception if the caller is not in a turn of this actor. */
    void requireTurn(String what) {
        Headroom.requireTwice(); // an overflow later in the call could leave a change half done
        if (turnOf != Thread.currentThread()) {
            throw new IllegalStateException(what + " is for turns of actor " + name()
                    + " only; elsewhere use its ActorRef: offer, send, sendAsync or ask");
        }
    }

    @Override
    public String toString() {
        return "actor " + name();
    }

    /**
     * A signal without an effect of its own. The turn that handles the signal checks for a halt and flushes the outbox.
     */
    static final class Look extends Letter.Signal {
        @Override
        public void arrive() {}
    }
}

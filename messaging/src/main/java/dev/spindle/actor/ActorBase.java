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
import dev.spindle.actor.internal.Parcel;
import dev.spindle.actor.internal.Waiter;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.Interrupts;
import dev.spindle.internal.report.ActivityView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parts of an actor other than its behaviour: the mailbox, the outbox, and the thread that runs user code. */
abstract class ActorBase extends Mailbox implements MailboxCycles.Node {
    /*
     * ActorBase-1  An interrupt of the user code of this actor reaches no code outside its turn (F2). The interrupter
     *     sets `interrupting`, reads `turnOf`, and clears `interrupting` after the interrupt. A turn clears `turnOf`,
     *     gives the mailbox up or passes it to the pool, by a read-modify-write or a volatile write, and then reads
     *     `interrupting`. So the interrupter sees `turnOf` cleared, or the turn waits for the interrupt, and clears it.
     *
     * ActorBase-2  What an end leaves can be read although user code of the actor does not return. Until the owner sees
     *     a halt, the requests are in the mailbox (Mailbox-8), and the owner begins no other after it. Then the owner
     *     writes TAKING to `left`, takes the requests, and writes their messages, without user code in between.
     *
     * Tests: ActorInterruptTest (ActorBase-1), ClosersContractTest (ActorBase-2).
     */
    private static final VarHandle HANDLED;
    private static final VarHandle TURN_OF;
    private static final VarHandle INTERRUPTING;

    static {
        try {
            var lookup = MethodHandles.lookup();
            HANDLED = lookup.findVarHandle(ActorBase.class, "handled", long.class);
            TURN_OF = lookup.findVarHandle(ActorBase.class, "turnOf", Thread.class);
            INTERRUPTING = lookup.findVarHandle(ActorBase.class, "interrupting", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The value of {@code left} while the owner takes the requests. */
    private static final List<Object> TAKING = new ArrayList<>(0);

    /** The number of times that a reader of {@code left} looks again while the owner makes progress. Not measured. */
    private static final int MOST_LOOKS = 10_000;

    private static final ActorCounts NO_COUNTS = new ActorCounts();

    private final ActorGroup group;
    private final ActorOptions options;

    @Nullable
    ActorBase previous; // the previous actor in the list of the group; guarded by the group's lock

    @Nullable
    ActorBase next;

    private volatile @Nullable List<Object> left; // written by the owner (ActorBase-2)
    private @Nullable ArrayDeque<Object> undropped; // the requests of `left` that the drop handler has not got
    private volatile @Nullable Outbox outbox; // written by the owner, read by any thread
    private volatile @Nullable EndListeners endListeners; // created under the monitor
    private volatile @Nullable ConcurrentHashMap<Object, LatestLetter> latest; // created under the monitor
    private @Nullable Thread turnOf; // the thread that runs user code of this actor; a read by another thread is racy
    private volatile boolean interrupting; // true while a thread reads `turnOf` and interrupts that thread
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
        return activity(turnOf, null);
    }

    /** Does what {@link #activity()} does, for an actor that {@code thread} has run for {@code runningFor}. */
    ActivityView activity(@Nullable Thread thread, @Nullable Duration runningFor) {
        List<Letter> requests = thread == null ? null : peekRequests(); // exact if the handler is stuck
        return new ActivityView(
                Activity.Kind.HANDLER,
                this::toString,
                null,
                null,
                null,
                thread,
                runningFor,
                requests == null ? estimatedDepth() : requests.size(),
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

    /** Makes the actor look for a halt, in a turn. */
    void wake() {
        // D1
        boolean unused = signal(new Look());
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

    /**
     * Returns the accepted messages that the end of this actor leaves unhandled, in order. For any thread, after a halt
     * or the end; the owner may be in user code that never returns.
     */
    final List<Object> left() {
        for (int looks = 1; ; looks++) { // ActorBase-2
            List<Letter> requests = left == null ? peekRequests() : null;
            List<Object> published = left;
            if (published != null && published != TAKING) {
                return published;
            }
            if (published == null && requests != null) {
                return messages(requests);
            }
            if (looks == MOST_LOOKS) {
                return List.of(); // the system does not run the owner
            }
            Thread.yield();
        }
    }

    private static List<Object> messages(List<Letter> requests) {
        List<Object> messages = new ArrayList<>(requests.size());
        for (Letter request : requests) {
            Object message = plain(request.peek());
            if (message != null) {
                messages.add(message);
            }
        }
        return Collections.unmodifiableList(messages);
    }

    /** Returns the messages that this actor has told and that wait for room, as {@link Outbox#peekTold} does. */
    final List<Parcel> told() {
        Outbox own = outbox;
        return own == null ? List.of() : own.peekTold();
    }

    /** Returns the message of {@code sent}, plain or {@link Carried}; null if the message was never made. */
    static @Nullable Object plain(@Nullable Object sent) {
        return sent instanceof Carried carried ? carried.message() : sent;
    }

    /** Drops the references to what the end of this actor has left (U3). */
    final void forgetLeft() {
        left = List.of();
    }

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

    /** Passes the message of a letter that this actor has refused to the drop handler. */
    void drop(Letter letter) {
        Object message = letter.take();
        if (message != null) {
            group.refused(this, message);
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

    /** Interrupts the user code of this actor that runs now, if any. */
    final void interruptTurn() {
        while (!INTERRUPTING.compareAndSet(this, false, true)) {
            Thread.onSpinWait();
        }
        Thread thread = (Thread) TURN_OF.getVolatile(this);
        Throwable failure = thread == null ? null : Interrupts.send(thread);
        interrupting = false;
        Interrupts.report(failure);
    }

    /** Waits for an interrupt that is being sent, and clears the interrupt. Called at the end of a turn. */
    final void awaitInterrupter() {
        if (interrupting) { // ActorBase-1
            while (interrupting) {
                Thread.yield();
            }
            boolean unused = Thread.interrupted();
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

    /** Takes the requests of the mailbox, which is closed, and adds their messages to {@code left} (ActorBase-2). */
    final void takeLeft() {
        List<Object> before = left;
        if (!hasRequests()) {
            left = before == null ? List.of() : before;
            return;
        }
        left = TAKING;
        VarHandle.fullFence(); // a reader that misses a request sees TAKING
        List<Object> all = before == null ? new ArrayList<>() : new ArrayList<>(before);
        ArrayDeque<Object> drop = undropped == null ? new ArrayDeque<>() : undropped;
        for (Letter request = pollRequest(); request != null; request = pollRequest()) {
            Object message = request.take();
            Object own = plain(message);
            if (message != null) {
                drop.add(message);
            }
            if (own != null) {
                all.add(own);
            }
        }
        undropped = drop;
        left = Collections.unmodifiableList(all);
    }

    /** Passes all requests to the drop handler. */
    final void dropRequests() {
        takeLeft();
        ArrayDeque<Object> drop = undropped;
        while (drop != null && !drop.isEmpty()) {
            group.dropped(this, drop.remove());
        }
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

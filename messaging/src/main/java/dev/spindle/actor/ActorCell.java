// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.TimeLimit;
import dev.spindle.internal.WorkerContext;
import dev.spindle.messaging.Headroom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** An actor: runs turns in which it serves its mailbox. Unless stated otherwise, for the owner of the mailbox alone. */
final class ActorCell<M> extends Mailbox implements MailboxCycles.Node {
    /*
     * A turn serves what is in the reply lane, then up to 16 requests, and looks again; so neither lane starves the
     * other. It ends when nothing is left, or when a batch of messages or 200 µs have passed and something else waits
     * for a worker.
     *
     * Requests wait while the actor is suspended (it has not begun, or is being restarted) and while its outbox is
     * not empty. Signals are always served; those for the behaviour are held back while it is suspended.
     *
     *   suspended -> serving (Begin) -> suspended (a restart)
     *   any of them -> draining (stop) -> ending, when nothing is left in the request lane
     *   any of them -> ending (halt, a failure, shutdownNow): no behaviour any more, requests are dropped
     *   ending -> stopped, when the outbox is empty and nothing more has come
     */
    private static final int MOST_IN_A_ROW = 16;
    private static final long SLICE_NANOS = 200_000;

    private final Actors group;
    private final ActorOptions<M> options;
    private final ActorRef<M> ref = new ActorRef<>(this);
    private final ActorContext<M> context = new ActorContext<>(this);

    @Nullable
    ActorCell<?> previous; // of the group, under its lock

    @Nullable
    ActorCell<?> next;

    private volatile @Nullable Outbox outbox; // written by the owner, read by all
    private volatile @Nullable Links links; // made under the monitor
    private volatile @Nullable ConcurrentHashMap<Object, LatestLetter> latest; // made under the monitor
    private @Nullable Actor<M> behaviour;
    private @Nullable ActorTimers<M> timers;
    private @Nullable ArrayDeque<Letter.Signal> held;
    private @Nullable ArrayDeque<Long> restarts;
    private @Nullable Thread turnOf; // while code of the user runs; who finds itself there has written it, else racy
    private @Nullable Throwable cause;
    private int openReplies;
    private boolean suspended = true;
    private boolean draining;
    private boolean ending;
    private boolean abandoned; // by the pool, which has ended

    ActorCell(Actors group, ActorOptions<M> options, Actor<M> behaviour) {
        this.group = group;
        this.options = options;
        this.behaviour = behaviour;
    }

    // ---------------------------------------------------------------- for all

    Actors group() {
        return group;
    }

    ActorOptions<M> options() {
        return options;
    }

    ActorRef<M> ref() {
        return ref;
    }

    String name() {
        return options.name();
    }

    @Override
    int capacity() {
        return options.capacity();
    }

    @Override
    void ready() {
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

    /** Returns the thread that runs code of the user here, or null. Racy. */
    @Nullable
    Thread estimatedThread() {
        return turnOf;
    }

    int estimatedOutbox() {
        Outbox own = outbox;
        return own == null ? 0 : own.estimatedSize();
    }

    Links links() {
        Links there = links;
        if (there == null) {
            synchronized (this) {
                there = links;
                if (there == null) {
                    there = new Links(this);
                    links = there;
                }
            }
        }
        return there;
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

    ActorStoppedException stoppedException(String what) {
        return new ActorStoppedException("actor " + name() + " is stopped and rejected " + what, null);
    }

    /** Hands a letter that will not be handled to the drop handler. */
    void drop(Letter letter) {
        Object message = letter.take();
        if (message != null) {
            group.dropped(this, message);
        }
    }

    /** Stops the actor, when it has handled what it has accepted, or at once. */
    void stop(boolean handleAccepted) {
        Headroom.require();
        closeRequests();
        boolean unused = signal(new Stop(handleAccepted));
    }

    /** Ends the actor, since its pool was halted: here and now if it is idle, else its owner will. */
    void halted() {
        if (push(new Look()) == Push.FIRST) {
            run();
        }
    }

    /** Called when the pool has ended without coming to this: the caller is the owner. */
    void abandon() {
        abandoned = true;
        run();
    }

    // ---------------------------------------------------------------- the turn

    @Override
    public void run() {
        int left = group.batch();
        int inARow = 1;
        long begin = 0;
        long last = 0;
        for (; ; ) {
            boolean unused = intake();
            int served = serveReplies();
            if (abandoned || group.isHalted()) {
                end(new CancellationException("spindle " + group.spindleName() + " was shut down"));
            }
            served += serveRequests(Math.min(left, inARow));
            left -= served;
            if (!ending && draining && !suspended && !hasRequests() && !hasNew() && isFlushed()) {
                end(null);
            }
            if (ending) {
                dropRequests();
                flush();
            }
            if (!hasWork()) {
                if (ending && isFlushed()) {
                    if (becomeStopped()) {
                        stopped();
                        return;
                    }
                } else {
                    batch(false);
                    if (becomeIdle()) {
                        return; // others may run it now
                    }
                }
                continue;
            }
            if (served > 0) {
                long now = group.nanoTime();
                WorkerContext.countOwnSteps(last == 0 ? served - 1 : served);
                inARow = last == 0 || now - last < SLICE_NANOS / 8 ? Math.min(MOST_IN_A_ROW, inARow * 2) : 1;
                batch(inARow == MOST_IN_A_ROW);
                begin = begin == 0 ? now : begin;
                last = now;
                if (now - begin >= SLICE_NANOS) {
                    left = 0;
                }
            }
            if (left <= 0) {
                if (!group.mayGoOn()) {
                    ready();
                    return;
                }
                left = group.batch();
                begin = last;
            }
        }
    }

    private boolean hasWork() {
        return hasNew() || (hasRequests() && (ending || servesRequests()));
    }

    private boolean servesRequests() {
        return !suspended && !ending && isFlushed();
    }

    private boolean isFlushed() {
        Outbox own = outbox;
        return own == null || own.isEmpty();
    }

    private int serveReplies() {
        int served = 0;
        for (Letter.Signal signal = pollReply(); signal != null; signal = pollReply()) {
            serve(signal);
            served++;
        }
        return served;
    }

    private void serve(Letter.Signal signal) {
        if (!signal.isForBehaviour()) {
            signal.arrive(this);
        } else if (suspended) {
            if (held == null) {
                held = new ArrayDeque<>();
            }
            held.add(signal);
        } else if (!ending) {
            signal.arrive(this);
        }
        flush();
    }

    private int serveRequests(int most) {
        int served = 0;
        while (served < most && servesRequests()) {
            Letter request = pollRequest();
            if (request == null) {
                break;
            }
            served++;
            Object message = request.take();
            if (message != null) {
                @SuppressWarnings("unchecked") // references are typed
                M typed = (M) message;
                receive(typed);
                flush();
            }
        }
        return served;
    }

    private void dropRequests() {
        for (Letter request = pollRequest(); request != null; request = pollRequest()) {
            drop(request);
        }
    }

    /** Handles a message of either lane with the behaviour. */
    void receive(M message) {
        Actor<M> own = behaviour;
        if (own == null) {
            return;
        }
        boolean unused = Thread.interrupted(); // each message begins without the interrupts of others
        turnOf = Thread.currentThread();
        try {
            own.receive(message, context);
        } catch (Throwable t) {
            turnOf = null;
            failed(t);
        } finally {
            turnOf = null;
        }
    }

    /** Runs code of the user that makes a message of a reply, and handles that. */
    void receive(MessageSource<M> source) {
        M message;
        turnOf = Thread.currentThread();
        try {
            message = source.message();
        } catch (Throwable t) {
            turnOf = null;
            failed(t);
            return;
        } finally {
            turnOf = null;
        }
        receive(message);
    }

    /** Makes a message. */
    interface MessageSource<M> {
        M message() throws Exception;
    }

    // ---------------------------------------------------------------- tells

    Outbox outbox() {
        Outbox own = outbox;
        if (own == null) {
            own = new Outbox(this);
            outbox = own;
        }
        return own;
    }

    private void flush() {
        Outbox own = outbox;
        if (own != null && !own.isEmpty()) {
            own.flush();
        }
    }

    <T> void tell(ActorCell<T> target, T message) {
        target.group.requireOpen(target);
        Letter letter = new Letter(message);
        if (isFlushed()) {
            switch (target.offer(letter)) {
                case CLOSED -> target.drop(letter);
                case FULL -> outbox().add(target, letter);
                default -> {}
            }
        } else {
            outbox().add(target, letter);
        }
    }

    /** Refuses callers that are not in a turn of this actor. */
    void requireTurn(String what) {
        Headroom.require(); // before anything is changed
        if (turnOf != Thread.currentThread()) {
            throw new IllegalStateException(what + " is for turns of actor " + name()
                    + " alone; elsewhere use its ActorRef: offer, send, sendAsync or ask");
        }
    }

    void replyOpened(String what) {
        if (openReplies >= Outbox.LIMIT) {
            throw new IllegalStateException("actor " + name() + " waits for " + openReplies
                    + " replies and cannot wait for that of " + what + "; wait for some of them first");
        }
        openReplies++;
    }

    void replyArrived() {
        openReplies--;
    }

    ActorTimers<M> timers() {
        if (timers == null) {
            timers = new ActorTimers<>(this);
        }
        return timers;
    }

    // ---------------------------------------------------------------- failures and ends

    boolean isEnding() {
        return ending;
    }

    void failed(Throwable failure) {
        group.report(this, failure);
        if (ending) {
            return;
        }
        switch (options.supervision().verdict()) {
            case STOP -> end(failure);
            case RESUME -> {}
            case RESTART -> restart(failure);
        }
    }

    private void restart(Throwable failure) {
        if (restarts == null) {
            restarts = new ArrayDeque<>();
        }
        Duration delay = options.supervision().restart(restarts, group.nanoTime());
        if (delay == null) {
            end(failure);
            return;
        }
        suspended = true;
        leaveBehaviour(failure);
        try {
            if (delay.isZero()) {
                boolean unused = signal(new Begin());
            } else {
                TimeLimit ignored = TimeLimit.set(group.spindle(), delay, () -> {
                    boolean unused = signal(new Begin());
                });
            }
        } catch (RejectedExecutionException e) {
            end(failure); // the spindle was shut down
        }
    }

    /** Calls the behaviour for the last time. */
    private void leaveBehaviour(@Nullable Throwable failure) {
        if (timers != null) {
            timers.cancelAll();
        }
        Actor<M> last = behaviour;
        behaviour = null;
        if (last == null) {
            return;
        }
        boolean unused = Thread.interrupted();
        turnOf = Thread.currentThread();
        try {
            last.stopped(failure);
        } catch (Throwable t) {
            group.report(this, t);
        } finally {
            turnOf = null;
        }
    }

    private void begin() {
        if (ending) {
            return;
        }
        Throwable failure = null;
        turnOf = Thread.currentThread();
        try {
            Actor<M> fresh = behaviour; // made by start()
            if (fresh == null) {
                fresh = options.create();
                behaviour = fresh;
            }
            suspended = false;
            fresh.started(context);
        } catch (Throwable t) {
            failure = t;
        } finally {
            turnOf = null;
        }
        if (failure != null) {
            failed(failure);
        }
        ArrayDeque<Letter.Signal> waiting = held;
        held = null;
        while (waiting != null && !waiting.isEmpty()) {
            serve(waiting.remove());
        }
    }

    /** Begins to end: the behaviour gets nothing more. Does not flush, since the flush may have failed. */
    private void end(@Nullable Throwable failure) {
        if (ending) {
            return;
        }
        ending = true;
        cause = failure;
        closeRequests();
        leaveBehaviour(failure);
        held = null;
        restarts = null;
        dropRequests();
    }

    private void stopped() {
        group.remove(this);
        links().end(new ActorExit(name(), cause));
        group.ended();
    }

    @Override
    public String toString() {
        return "actor " + name();
    }

    /** Has the actor begin, or begin again. */
    static final class Begin extends Letter.Signal {
        @Override
        void arrive(ActorCell<?> actor) {
            actor.begin();
        }
    }

    /** Has the actor look whether its pool was halted. */
    private static final class Look extends Letter.Signal {
        @Override
        void arrive(ActorCell<?> actor) {}
    }

    private static final class Stop extends Letter.Signal {
        private final boolean handleAccepted;

        Stop(boolean handleAccepted) {
            this.handleAccepted = handleAccepted;
        }

        @Override
        void arrive(ActorCell<?> actor) {
            actor.draining = true;
            if (!handleAccepted) {
                actor.end(null);
            }
        }
    }
}

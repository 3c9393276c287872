// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.actor.internal.Carried;
import dev.spindle.actor.internal.Letter;
import dev.spindle.internal.HandedContext;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.WorkerContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** An actor, which serves its mailbox in turns. Unless stated otherwise, methods are for the owner of the mailbox. */
final class ActorCell<M> extends ActorBase {
    /*
     * A turn serves the reply lane, then up to 16 requests, and repeats, so neither lane starves the other. A turn ends
     * when the mailbox is empty, or when the actor has handled a batch of messages or run for 100 µs and other work
     * waits for a worker.
     *
     * Requests wait while the actor is suspended (not yet begun, or being restarted) and while its outbox is not empty.
     * Signals are served in every state, but signals for the behaviour are held while the actor is suspended.
     *
     * ActorState lists the transitions of `state`. The mailbox of an ENDING actor is stopped when the outbox is empty
     * and no letter is left.
     */
    /**
     * The maximum number of short requests between two readings of the clock. Measured on two processors: a message
     * from one actor to another cost 0.90 times as much with 8 (control 0.96), and 1.16 times as much with 32.
     */
    private static final int MOST_IN_A_ROW = 16;

    /** The number of times that a draining actor serves its reply lane before it ends. Not measured. */
    private static final int MOST_LATE_REPLIES = 4_096;

    private final ActorRef<M> ref = new ActorRef<>(this);
    private final ActorContext<M> context = new ActorContext<>(this);

    private volatile boolean halting; // set by stop(false) and abandon(); never cleared
    private @Nullable Actor<M> behaviour;
    private @Nullable ActorTimers timers;
    private @Nullable OpenReplies<M> replies;
    private @Nullable Watches watches;
    private @Nullable ArrayDeque<Letter.Signal> held;
    private @Nullable Restarts restarts;
    private @Nullable Exit exit; // set when the actor is ending
    private short lateReplies; // the number of rounds while draining that found only replies
    private boolean beginDue;
    private ActorState state = ActorState.SUSPENDED;

    /** Creates an actor and its first instance. */
    ActorCell(ActorGroup group, ActorOptions options) {
        super(group, options);
        behaviour = create();
    }

    @SuppressWarnings("unchecked") // a builder of actors with messages of type M has set the factory
    private Actor<M> create() {
        Object made = options().factory().get();
        return (Actor<M>) Objects.requireNonNull(made, () -> "the factory of actor " + name() + " returned null");
    }

    // ---------------------------------------------------------------- for any thread

    ActorRef<M> ref() {
        return ref;
    }

    @Override
    void stop(boolean handleAccepted) {
        Headroom.requireTwice();
        if (!handleAccepted) {
            halting = true; // before the signal, whose turn would otherwise drain the actor
        }
        closeRequests(false);
        boolean unused = signal(new Stop());
    }

    @Override
    void signalBegin() {
        boolean unused = signal(new Begin());
    }

    /** Returns the signal that starts the first instance. */
    Letter.Signal beginSignal() {
        return new Begin();
    }

    @Override
    void abandon() {
        state = state.abandoned();
        halting = true;
        boolean interrupted = Thread.interrupted(); // restored below
        try {
            run(false);
        } finally {
            boolean unused = Thread.interrupted();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // ---------------------------------------------------------------- the turn

    @Override
    public void run() {
        run(true);
    }

    private void run(boolean hasPool) {
        try {
            turn();
        } catch (Throwable t) { // a failure of the library; if there is a pool, another turn continues
            callbackFailed(t);
            if (hasPool) {
                ready();
            }
        }
        awaitInterrupter();
    }

    private void turn() {
        int left = group().batch();
        WorkerContext worker = WorkerContext.current();
        int inARow = 1;
        long begin = 0;
        long last = 0;
        for (; ; ) {
            boolean unused = intake();
            int served = serveReplies(worker);
            if (!endsNow() && !hasReplies()) {
                served += beginAgain();
                served += serveRequests(Math.min(left, inARow), worker);
            }
            left -= served;
            if (state == ActorState.DRAINING && !hasRequests() && isFlushed() && isDrained()) {
                end(null, null);
            }
            if (isEnding()) {
                dropRequests();
                flush();
            }
            if (!hasWork()) {
                if (isEnding() && isFlushed()) {
                    if (becomeStopped()) {
                        stopped();
                        return;
                    }
                } else {
                    batch(false);
                    if (becomeIdle()) {
                        return; // the actor may have another owner now
                    }
                }
                continue;
            }
            if (served > 0) {
                long now = group().nanoTime();
                WorkerContext.countOwnSteps(last == 0 ? served - 1 : served);
                inARow = last == 0 || now - last < WorkerContext.QUANTUM_NANOS / 4
                        ? Math.min(MOST_IN_A_ROW, inARow * 2)
                        : 1;
                batch(inARow == MOST_IN_A_ROW);
                begin = begin == 0 ? now : begin;
                last = now;
                if (now - begin >= WorkerContext.QUANTUM_NANOS || (worker != null && worker.isHurried())) {
                    left = 0;
                }
            }
            if (left <= 0) {
                if (!group().mayGoOn(worker)) {
                    ready();
                    return;
                }
                left = group().batch();
                begin = last;
                if (worker != null) {
                    worker.answerHurry();
                }
            }
        }
    }

    /**
     * Returns whether a draining actor that has no request left may end: no other letter is left, or its reply lane was
     * served {@link #MOST_LATE_REPLIES} times and no new request has come. Without this limit an actor that repeats
     * each refused ask would not end.
     */
    private boolean isDrained() {
        if (!hasReplies() && !hasNew()) {
            return true;
        }
        if (lateReplies < MOST_LATE_REPLIES) {
            lateReplies++;
            return false;
        }
        boolean unused = intake();
        return !hasRequests();
    }

    private boolean hasWork() {
        return hasNew() || hasReplies() || beginDue || (hasRequests() && (isEnding() || servesRequests()));
    }

    /**
     * Ends the actor if the actor was halted or abandoned, or the spindle was halted. Returns whether the actor is
     * ending.
     */
    private boolean endsNow() {
        if (!isEnding() && (halting || group().isHalted())) {
            boolean asked = halting && !state.isAbandoned();
            end(asked ? null : new CancellationException("spindle " + group().spindleName() + " was shut down"), null);
        }
        return isEnding();
    }

    private boolean servesRequests() {
        return (state == ActorState.SERVING || state == ActorState.DRAINING) && isFlushed(); // R3
    }

    private int serveReplies(@Nullable WorkerContext worker) {
        int served = 0;
        while (hasReplies() && (served == 0 || worker == null || !worker.isHurried())) {
            Letter.Signal signal = pollReply();
            if (signal != null) {
                serve(signal);
                served++;
            }
        }
        return served;
    }

    private void serve(Letter.Signal signal) {
        if (!signal.isForBehaviour()) {
            signal.arrive();
        } else if (!endsNow()) {
            if (state.isSuspended()) {
                if (held == null) {
                    held = new ArrayDeque<>();
                }
                held.add(signal);
            } else {
                signal.arrive();
            }
        }
        flush();
    }

    private int serveRequests(int most, @Nullable WorkerContext worker) {
        int served = 0;
        while (served < most && servesRequests() && !endsNow()) { // S1
            if (served > 0 && worker != null && worker.isHurried()) {
                break;
            }
            Letter request = pollRequest();
            if (request == null) {
                break;
            }
            served++;
            Object message = request.take();
            if (message != null) {
                receive(message);
                flush();
            }
        }
        return served;
    }

    @Override
    void receive(Object message) {
        Actor<M> own = behaviour;
        if (own == null) {
            return;
        }
        Throwable failure = null;
        enter();
        try {
            if (message instanceof Carried carried) {
                receiveIn(own, carried);
            } else {
                own.receive(typed(message), context);
            }
        } catch (Throwable t) {
            failure = t;
        } finally {
            leave();
        }
        countHandled();
        if (failure != null) {
            count(counts -> counts.failed);
            failed(failure, message instanceof Carried carried ? carried.message() : message);
        }
    }

    private void receiveIn(Actor<M> own, Carried carried) throws Exception {
        HandedContext.<Exception>runIn(carried.context(), () -> {
            Object message = carried.make();
            boolean unused = Thread.interrupted(); // the function that made the message may have set the status
            own.receive(typed(message), context);
        });
    }

    @SuppressWarnings("unchecked") // references have the type of the messages
    private M typed(Object message) {
        return (M) message;
    }

    // ---------------------------------------------------------------- tells

    void tell(ActorBase target, Object message) {
        target.group().requireOpen(target);
        Object carried = target.group().carried(message);
        Push push = isFlushed() ? target.push(message, carried) : Push.FULL;
        if (push == Push.CLOSED) {
            target.drop(new Letter(carried));
        } else if (push == Push.FULL) {
            outbox().add(new Parcels.Tell(target, new Letter(carried)));
        }
    }

    /**
     * Sends a request at once. Adds the request to the outbox instead if the outbox is not empty, too many replies are
     * open, or the target has no room.
     */
    void ask(ActorBase target, Object message, Ask<?> ask, OpenReply<M, ?> place) {
        target.group().requireOpen(target);
        Parcels.Request request =
                new Parcels.Request(target, new Letter(target.group().carried(message)), ask, place);
        if (!isFlushed() || !request.mayGo()) {
            outbox().add(request);
            return;
        }
        switch (target.offer(request.letter)) {
            case CLOSED -> request.refused(null);
            case FULL -> outbox().add(request);
            default -> request.sent();
        }
    }

    OpenReplies<M> replies() {
        if (replies == null) {
            replies = new OpenReplies<>(this);
        }
        return replies;
    }

    Watches watches() {
        if (watches == null) {
            watches = new Watches(this);
        }
        return watches;
    }

    ActorTimers timers() {
        if (timers == null) {
            timers = new ActorTimers(this);
        }
        return timers;
    }

    // ---------------------------------------------------------------- failures and ends

    @Override
    boolean isEnding() {
        return state == ActorState.ENDING;
    }

    @Override
    void failed(Throwable failure, @Nullable Object message) {
        boolean unused = Thread.interrupted();
        group().report(this, message, failure);
        if (isEnding() || (failure instanceof InterruptedException && endsNow())) { // a halt may have interrupted it
            return;
        }
        switch (options().supervision().verdict()) {
            case STOP -> end(failure, message);
            case RESUME -> {}
            case RESTART -> restart(failure, message);
        }
    }

    private void restart(Throwable failure, @Nullable Object message) {
        if (restarts == null) {
            restarts = new Restarts(this);
        }
        Duration delay = restarts.next(options().supervision());
        if (delay == null) {
            end(failure, message);
            return;
        }
        state = state.suspended();
        leaveBehaviour(failure, message);
        beginDue = state.isStopping() || delay.isZero() || group().isShutdown() || !restarts.delay(delay);
    }

    /**
     * Starts the behaviour again if a restart is due, and returns 1; otherwise returns 0. In a draining actor a delayed
     * restart is due at once if a message waits; if none waits, the actor ends.
     */
    private int beginAgain() {
        if (state.isDraining() && restarts != null && restarts.isDelayed()) {
            restarts.endDelay();
            beginDue = hasRequests() || (held != null && !held.isEmpty());
            if (!beginDue) {
                end(null, null);
            }
        }
        if (!beginDue) {
            return 0;
        }
        begin();
        return 1;
    }

    /** Calls the {@code stopped} method of the behaviour, and drops the behaviour. */
    private void leaveBehaviour(@Nullable Throwable failure, @Nullable Object message) {
        if (timers != null) {
            timers.cancelAll();
        }
        Actor<M> last = behaviour;
        behaviour = null;
        if (last == null) {
            return;
        }
        enter();
        try {
            HandedContext.<Exception>runIn(
                    options().context(), () -> last.stopped(failure, message == null ? null : typed(message)));
        } catch (Throwable t) {
            leave();
            group().report(this, null, t);
        } finally {
            leave();
        }
    }

    private void startBehaviour() throws Exception {
        Actor<M> fresh = behaviour; // not null at the first start: the constructor has created an instance
        if (fresh == null) {
            fresh = create();
            behaviour = fresh;
            boolean unused = Thread.interrupted();
        }
        state = state.begun();
        fresh.started(context);
    }

    private void begin() {
        beginDue = false;
        if (!state.isSuspended() || (behaviour == null && endsNow())) { // a shutdownNow ends the delay of a restart
            return;
        }
        if (restarts != null) {
            restarts.endDelay();
        }
        Throwable failure = null;
        enter();
        try {
            HandedContext.<Exception>runIn(options().context(), this::startBehaviour);
        } catch (Throwable t) {
            failure = t;
        } finally {
            leave();
        }
        if (failure != null && state.isStopping()) { // a restart might fail again and delay the stop
            group().report(this, null, failure);
            end(failure, null);
        } else if (failure != null) {
            failed(failure, null);
        }
        ArrayDeque<Letter.Signal> waiting = held;
        held = null;
        while (waiting != null && !waiting.isEmpty()) {
            serve(waiting.remove());
        }
    }

    /**
     * Begins the end of the actor: the behaviour receives no more messages. Does not flush the outbox, since a flush
     * may have called this method.
     */
    private void end(@Nullable Throwable failure, @Nullable Object message) {
        if (isEnding()) {
            return;
        }
        state = ActorState.ENDING;
        exit = new Exit(failure, message);
        closeRequests(true);
        boolean unused = intake();
        takeLeft(); // before user code
        leaveBehaviour(failure, message);
        held = null;
        beginDue = false;
        if (restarts != null) {
            restarts.endDelay();
            restarts = null;
        }
        if (replies != null) {
            replies.close();
        }
        if (watches != null) {
            watches.clear();
        }
        dropRequests();
    }

    /**
     * Removes this actor from its group, and tells its watchers, its open asks and the future of
     * {@link ActorRef#terminated} that it has ended. Must not throw: after a
     * throwable, the turn would make this actor ready again, although it no longer owns the mailbox.
     */
    private void stopped() {
        try {
            group().remove(this);
            if (!halting && !group().isHalted()) {
                forgetLeft();
            }
            endListeners().end(exit == null ? Exit.NORMAL : exit);
        } catch (Throwable t) {
            callbackFailed(t);
        } finally {
            group().ended();
        }
    }

    /** A signal that starts or restarts the behaviour. */
    private final class Begin extends Letter.Signal {
        @Override
        public void arrive() {
            begin();
        }
    }

    private final class Stop extends Letter.Signal {
        @Override
        public void arrive() {
            state = state.draining();
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.actors;

import dev.spindle.actor.Actor;
import dev.spindle.actor.ActorContext;
import dev.spindle.actor.ActorRef;
import dev.spindle.verify.torture.actors.Message.Note;
import dev.spindle.verify.torture.actors.Message.Tick;
import dev.spindle.verify.torture.actors.Message.Way;
import dev.spindle.verify.torture.tools.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An actor, whose instances share plain fields. */
final class Member {
    private static final int KEYS = 3;
    private static final int KEEPING = KEYS; // the key of the timer that sends the kept replies
    static final Duration LONG = Duration.ofMinutes(10);

    /** A deliberate failure of an actor. */
    static final class Planned extends Exception {
        private static final long serialVersionUID = 1;
    }

    final int index;
    final AtomicInteger instances = new AtomicInteger();
    final Set<Object> open = ConcurrentHashMap.newKeySet(); // asks, pipes and timers in progress
    final Set<Integer> gone = ConcurrentHashMap.newKeySet();
    final Set<Integer> watched = ConcurrentHashMap.newKeySet();
    final List<Member> targets = new ArrayList<>();
    private final RandomActors all;
    private final Ledger ledger;
    private final SplittableRandom random;
    private final int bound;
    private final int failsEvery;
    private volatile @Nullable ActorRef<Message> ref;

    private boolean inside;
    private int turns;
    private final AtomicInteger countedTurns = new AtomicInteger();
    private final Map<List<Object>, Integer> last = new HashMap<>();
    private final Map<Member, Integer> numbers = new HashMap<>();
    private final @Nullable Tick[] timers = new Tick[KEYS + 1];
    private final @Nullable Future<?>[] futures = new Future<?>[KEYS + 1];
    private final List<Note> kept = new ArrayList<>();
    private int generation;

    /**
     * @param bound the maximum number of pending messages, including overdrafts
     * @param failsEvery the mean number of messages between failures; 0 for no failures
     */
    Member(int index, RandomActors all, SplittableRandom random, int bound, int failsEvery) {
        this.index = index;
        this.all = all;
        this.ledger = all.ledger;
        this.random = random;
        this.bound = bound;
        this.failsEvery = failsEvery;
    }

    void begin(ActorRef<Message> self) {
        ref = self;
    }

    ActorRef<Message> ref() {
        return Objects.requireNonNull(ref);
    }

    boolean hasEnded() {
        return ref().terminated().toCompletableFuture().isDone();
    }

    /** Returns true if the actor has ended, or if no message, timer, result or notice of an end is outstanding. */
    boolean isQuiet() {
        return hasEnded()
                || (ref().stats().pending() == 0
                        && open.isEmpty()
                        && watched.stream()
                                .allMatch(one ->
                                        gone.contains(one) || !all.member(one).hasEnded()));
    }

    /** Adds the errors that can be detected after the end. */
    void check() {
        if (turns != countedTurns.get()) {
            ledger.error("actor " + index + " counted " + turns + " turns of " + countedTurns);
        }
        if (instances.get() != 0) {
            ledger.error("actor " + index + " has " + instances + " instances that were not stopped");
        }
    }

    /** Creates an instance of the actor, or fails deliberately. */
    Actor<Message> create() {
        if (ref != null && failsEvery > 0 && random.nextInt(20) == 0) {
            throw all.plannedUnchecked();
        }
        instances.incrementAndGet();
        return new Instance();
    }

    private void enter() {
        if (inside) {
            ledger.error("actor " + index + " handles two at once");
        }
        inside = true;
        turns++;
        countedTurns.incrementAndGet();
        ledger.begun();
    }

    private void leave() {
        ledger.over();
        inside = false;
    }

    private final class Instance implements Actor<Message> {
        private boolean stopped;

        @Override
        public void started(ActorContext<Message> self) throws Planned {
            enter();
            try {
                if (!kept.isEmpty()) {
                    setTimer(self, KEEPING); // the timer of the previous instance was cancelled
                }
                setTimer(self, random.nextInt(KEYS));
                mayFail(2);
            } finally {
                leave();
            }
        }

        @Override
        public void receive(Message message, ActorContext<Message> self) throws Planned {
            enter();
            try {
                if (stopped) {
                    ledger.error("actor " + index + " got " + message + " in an instance that was stopped");
                }
                if (Thread.interrupted() && !all.isShutDown()) {
                    ledger.error("actor " + index + " begins " + message + " with an interrupt");
                }
                if (message instanceof Note note) {
                    handle(note, self);
                } else if (message instanceof Tick tick) {
                    handle(tick);
                } else if (message instanceof Message.Gone end && !gone.add(end.index())) {
                    ledger.error("actor " + index + " was told twice of the end of " + end.index());
                }
                mayFail(1);
            } finally {
                if (message instanceof Note note) {
                    ledger.over(note);
                }
                leave();
            }
        }

        @Override
        public void stopped(@Nullable Throwable cause, @Nullable Message unhandled) {
            enter();
            if (stopped) {
                ledger.error("an instance of actor " + index + " was stopped twice");
            }
            stopped = true;
            instances.decrementAndGet();
            for (int key = 0; key < timers.length; key++) {
                forget(key);
            }
            leave(); // the next instance sends the kept replies
        }
    }

    private void mayFail(int times) throws Planned {
        if (failsEvery > 0 && random.nextInt(failsEvery * times) == 0) {
            throw all.planned();
        }
    }

    // ---------------------------------------------------------------- notes

    private void handle(Note note, ActorContext<Message> self) {
        ledger.ended(note);
        long depth = ref().stats().pending();
        if (depth > bound + watched.size()) {
            ledger.error("actor " + index + " has " + depth + " messages in its mailbox");
        }
        if (note.way != Way.FREE) {
            if (gone.contains(note.source)) {
                ledger.error("actor " + index + " got " + note + " after it was told of the end of that");
            }
            Integer before = last.put(List.of(note.source, note.way, note.key()), note.number);
            if (before != null && before >= note.number) {
                ledger.error("actor " + index + " got " + note + " after number " + before);
            }
        }
        if (note.reply != null) {
            answer(note, self);
        }
        int most = Math.min(note.budget, all.mostAtOnce);
        spread(note.budget, most == 0 ? 0 : 1 + random.nextInt(most), self);
        switch (random.nextInt(40)) {
            case 0, 1, 2, 3 -> setTimer(self, random.nextInt(KEYS));
            case 4, 5 -> cancelTimer(random.nextInt(KEYS));
            case 6, 7 -> pipe(self);
            case 8 -> watch(self, target());
            case 9 -> mustNotWait();
            case 10 -> Pause.spin(random.nextInt(30_000));
            case 11 -> Thread.currentThread().interrupt();
            case 12 -> {
                if (all.mayStop()) {
                    CompletableFuture<?> unused = self.ref().drain();
                }
            }
            default -> {}
        }
    }

    private Member target() {
        return targets.get(random.nextInt(targets.size()));
    }

    int numberFor(Member to) {
        int number = numbers.getOrDefault(to, 0) + 1;
        numbers.put(to, number);
        return number;
    }

    private void spread(int budget, int children, ActorContext<Message> self) {
        for (int i = 0; i < children; i++) {
            Member to = target();
            int left = (budget - children) / children;
            switch (random.nextInt(12)) {
                case 0 -> ask(to, left, self);
                case 1 -> all.offer(to, new Note(index, Way.OFFERED, numberFor(to), left));
                case 2 -> all.offer(to, new Note(index, Way.LATEST, numberFor(to), left));
                case 3 -> all.sendAsync(to, new Note(index, Way.FREE, numberFor(to), left));
                default -> {
                    Note note = new Note(index, Way.ORDERED, numberFor(to), left);
                    ledger.begun();
                    try {
                        self.tell(to.ref(), note);
                        ledger.accepted(note);
                    } catch (RejectedExecutionException e) {
                        all.refused(note, e);
                    }
                }
            }
        }
    }

    private void mustNotWait() {
        try {
            target().ref().send(new Note(index, Way.FREE, 0, 0));
            ledger.error("actor " + index + " could wait for room on a worker");
        } catch (IllegalStateException e) {
            // A worker must not wait for room in a mailbox, so {@code send} throws.
        } catch (InterruptedException | RejectedExecutionException e) {
            ledger.error("actor " + index + " got " + e + " on a worker");
        }
    }

    private void watch(ActorContext<Message> self, Member target) {
        if (watched.add(target.index)) {
            self.watch(target.ref(), (cause, message) -> new Message.Gone(target.index));
        }
    }

    // ---------------------------------------------------------------- replies

    private void ask(Member to, int budget, ActorContext<Message> self) {
        boolean isShort = random.nextInt(4) == 0;
        Object ask = new Object();
        int number = numberFor(to);
        open.add(ask);
        self.ask(
                to.ref(),
                (CompletableFuture<Integer> reply) -> new Note(index, Way.ORDERED, number, budget, reply, isShort),
                isShort ? Duration.ofNanos(1 + random.nextInt(500_000)) : LONG,
                (value, failure) -> arrived(ask, number, value, isShort, failure));
    }

    private Message arrived(
            Object what, int expected, @Nullable Integer value, boolean isShort, @Nullable Throwable failure) {
        enter();
        try {
            if (!open.remove(what)) {
                ledger.error("actor " + index + " got an answer twice");
            }
            all.checkAnswer(expected, value, isShort, failure);
            if (failsEvery > 0 && random.nextInt(failsEvery) == 0) {
                throw all.plannedUnchecked();
            }
            return new Message.Arrived();
        } finally {
            leave();
        }
    }

    private void pipe(ActorContext<Message> self) {
        Object pipe = new Object();
        int number = ++generation;
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        open.add(pipe);
        self.pipe(stage, (value, failure) -> arrived(pipe, number, value, false, failure));
        all.execute(() -> stage.complete(number));
    }

    private void answer(Note note, ActorContext<Message> self) {
        switch (random.nextInt(note.mayBeForgotten ? 6 : 4)) {
            case 0 -> {
                kept.add(note);
                setTimer(self, KEEPING);
            }
            case 1 -> {
                all.execute(() -> give(note));
                give(note);
            }
            case 2, 3 -> give(note);
            default -> {}
        }
    }

    private void giveReplies() {
        kept.forEach(this::give);
        kept.clear();
    }

    private void give(Note note) {
        if (note.answer()) {
            ledger.error("two answers to " + note + " were taken");
        }
    }

    // ---------------------------------------------------------------- timers

    private void setTimer(ActorContext<Message> self, int key) {
        cancelTimer(key);
        Tick tick = new Tick(key, ++generation, key != KEEPING && random.nextInt(6) == 0);
        Duration delay = Duration.ofNanos(1 + random.nextInt(200_000));
        try {
            if (tick.isPeriodic()) {
                futures[key] = self.scheduleWithFixedDelay(tick, delay.plusMillis(1));
            } else {
                open.add(tick);
                futures[key] = self.schedule(tick, delay);
            }
            timers[key] = tick;
        } catch (RejectedExecutionException e) {
            open.remove(tick);
            if (key == KEEPING) {
                giveReplies();
            }
            all.checkRefusal(e);
        }
    }

    private void cancelTimer(int key) {
        Future<?> future = futures[key];
        if (future != null && !future.cancel(false) && !all.isShutDown()) {
            ledger.error("actor " + index + " could not cancel a timer that it had set");
        }
        forget(key);
    }

    private void forget(int key) {
        Tick before = timers[key];
        if (before != null) {
            open.remove(before);
            timers[key] = null;
            futures[key] = null;
        }
    }

    private void handle(Tick tick) {
        if (!tick.equals(timers[tick.key()])) {
            ledger.error("actor " + index + " got " + tick + ", which was cancelled");
        } else if (!tick.isPeriodic()) {
            forget(tick.key());
        } else if (random.nextInt(4) == 0) {
            cancelTimer(tick.key());
        }
        if (tick.key() == KEEPING) {
            giveReplies();
        }
    }

    @Override
    public String toString() {
        return index + " -> " + targets.stream().map(one -> one.index).toList();
    }
}

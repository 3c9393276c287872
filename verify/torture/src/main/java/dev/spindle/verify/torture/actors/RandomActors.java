// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.actors;

import dev.spindle.ClosedException;
import dev.spindle.Spindle;
import dev.spindle.actor.Actors;
import dev.spindle.actor.Supervision;
import dev.spindle.verify.torture.actors.Member.Planned;
import dev.spindle.verify.torture.actors.Message.Note;
import dev.spindle.verify.torture.actors.Message.Way;
import dev.spindle.verify.torture.tools.Pause;
import dev.spindle.verify.torture.tools.PoolState;
import dev.spindle.verify.torture.tools.RandomProgram;
import dev.spindle.verify.torture.tools.Spindles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs actors with small mailboxes that send to each other, and threads that send to the actors in all ways. Actors
 * fail, stop and are shut down. The seed determines everything except the scheduling of threads. Each accepted message
 * must be handled or dropped once and in order. Each ask must complete, and the program must become quiescent even if
 * senders wait for each other.
 */
public final class RandomActors extends RandomProgram {
    private static final int MOST_ACTORS = 12;
    private static final int MOST_THREADS = 4;
    private static final int MOST_STEPS = 60;
    private static final int MOST_BUDGET = 24;
    private static final int MOST_AT_ONCE = 4;
    private static final int LONGEST_CHAIN = 400;
    private static final int MOST_OVERDRAFTS = 1_024; // for each mailbox, as ActorRingTest tests
    static final int LATEST_KEYS = 2;

    /** The ways to end. */
    private enum End {
        /** Ends after all work is done. */
        REST,
        STOP,
        HALT,
        SHUTDOWN,
        SHUTDOWN_NOW
    }

    final Ledger ledger = new Ledger();
    private final SplittableRandom random;
    private final End end;
    private final boolean mayStop;
    private final boolean isFlood;
    final int mostAtOnce; // the maximum number of messages sent for one message
    private final Spindle spindle;
    private final Actors group;
    private final List<Member> members = new ArrayList<>();
    private final List<Sender> senders = new ArrayList<>();
    private final AtomicInteger openStages = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean ending;

    /** Creates the actors for a seed; {@link #run()} returns the number of accepted notes. */
    public RandomActors(long seed) {
        random = new SplittableRandom(seed);
        end = random.nextInt(2) == 0 ? End.REST : End.values()[random.nextInt(End.values().length)];
        mayStop = random.nextInt(3) == 0;
        isFlood = random.nextInt(2) == 0;
        mostAtOnce = isFlood ? MOST_AT_ONCE : 1;
        int workers = 1 + random.nextInt(4);
        spindle = Spindles.builder()
                .name("actors-" + seed)
                .coreThreads(workers)
                .maxThreads(workers)
                .onFailure((activity, failure) -> failed(failure))
                .build();
        group = Actors.builder(spindle)
                .maxBatch(1 + random.nextInt(64))
                .onDrop((target, message) -> dropped(message))
                .build();
        start(1 + random.nextInt(MOST_ACTORS));
        for (int i = 1 + random.nextInt(MOST_THREADS); i > 0; i--) {
            senders.add(new Sender(senders.size() + 1, random.split()));
        }
    }

    private void start(int actors) {
        int failsEvery = random.nextInt(3) == 0 ? 20 + random.nextInt(100) : 0;
        int most = 1 + random.nextInt(16);
        for (int i = 0; i < actors; i++) {
            int capacity = 1 + random.nextInt(most);
            Member member = new Member(i, this, random.split(), capacity + MOST_OVERDRAFTS, failsEvery);
            members.add(member);
            member.begin(group.actorBuilder("actor-" + i, member::create)
                    .capacity(capacity)
                    .conflate(RandomActors::keyOf)
                    .supervision(supervision())
                    .build());
        }
        boolean isRing = random.nextInt(3) == 0;
        for (Member member : members) {
            for (int i = isRing ? 1 : 1 + random.nextInt(3); i > 0; i--) {
                member.targets.add(members.get(isRing ? (member.index + 1) % actors : random.nextInt(actors)));
            }
        }
    }

    /** Returns the key of a note that may be superseded, or null. */
    private static @Nullable Object keyOf(Message message) {
        return message instanceof Note note && note.way == Way.LATEST ? note.key() : null;
    }

    private Supervision supervision() {
        Supervision restart = Supervision.restart(1 + random.nextInt(50), Duration.ofMinutes(1));
        return switch (random.nextInt(6)) {
            case 0 -> Supervision.stop();
            case 1, 2 -> Supervision.resume();
            case 3 -> restart;
            default -> restart.backoff(Duration.ofNanos(50_000), Duration.ofMillis(1));
        };
    }

    @Override
    protected int run() throws InterruptedException, TimeoutException {
        senders.forEach(Thread::start);
        for (int i = random.nextInt(60); i > 0; i--) {
            Pause.spin(random.nextInt(20_000));
            if (random.nextInt(8) == 0) {
                Sender one = senders.get(random.nextInt(senders.size()));
                one.interrupting = true;
                one.interrupt();
            }
            if (random.nextInt(8) == 0) {
                int unused = spindle.waits().size() + group.busiest(3).size();
            }
        }
        if (end == End.REST) {
            await("everything to come to rest", this::isAtRest);
        }
        ending = true;
        if (end == End.HALT) {
            for (Member member : members) {
                CompletableFuture<?> unused = member.ref().halt();
            }
        } else if (end == End.SHUTDOWN) {
            spindle.shutdown();
        } else if (end == End.SHUTDOWN_NOW) {
            List<Runnable> unused = spindle.shutdownNow();
        }
        CompletableFuture<@Nullable Void> ended = group.drain();
        await("all actors to end", ended::isDone);
        await("all threads to end", () -> senders.stream().noneMatch(Thread::isAlive));
        await("all stages to complete", () -> openStages.get() == 0);
        shutDown(spindle);
        members.forEach(Member::check);
        if (failures.get() != 0) {
            ledger.error(failures + " failures were not reported");
        }
        requireSound(ledger.errors(group.stats().superseded(), group.stats().dropped()));
        return ledger.count();
    }

    @Override
    protected void release() {
        List<Runnable> unused = spindle.shutdownNow();
    }

    private boolean isAtRest() {
        return senders.stream().noneMatch(Thread::isAlive)
                && openStages.get() == 0
                && ledger.underWay() == 0
                && members.stream().allMatch(Member::isQuiet);
    }

    private void await(String what, BooleanSupplier condition) throws TimeoutException {
        long from = System.nanoTime();
        for (long pause = 5_000; !condition.getAsBoolean(); pause = Math.min(1_000_000, pause * 2)) {
            requireSound(ledger.errors());
            if (System.nanoTime() - from > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
                List<Integer> open =
                        members.stream().map(one -> one.open.size()).toList();
                throw new TimeoutException("waited for " + what + ": " + openStages + " stages open, "
                        + ledger.underWay() + " under way, open in actors " + open + ", " + group.busiest(MOST_ACTORS)
                        + ", " + spindle.waits() + "; " + PoolState.of(spindle));
            }
            Pause.park(pause);
        }
    }

    // ---------------------------------------------------------------- reports of the actors

    private void failed(Throwable failure) {
        if (failure instanceof Planned || failure.getCause() instanceof Planned) {
            failures.decrementAndGet();
        } else if (!(failure instanceof IllegalStateException)
                && !(ending && failure instanceof RejectedExecutionException)) {
            ledger.error("the failure handler was told of " + failure);
        }
    }

    private void dropped(Object message) {
        if (message instanceof Note note) {
            ledger.dropped(note);
            if (note.answer()) {
                ledger.error("two answers to " + note + " were taken");
            }
        } else {
            ledger.droppedNews();
        }
    }

    // ---------------------------------------------------------------- for members

    Planned planned() {
        failures.incrementAndGet();
        return new Planned();
    }

    IllegalStateException plannedUnchecked() {
        return new IllegalStateException(planned());
    }

    Member member(int index) {
        return members.get(index);
    }

    boolean mayStop() {
        return mayStop;
    }

    boolean isShutDown() {
        return spindle.isShutdown();
    }

    void checkRefusal(RejectedExecutionException e) {
        if (!spindle.isShutdown() && !(e instanceof ClosedException)) {
            ledger.error("there was " + e);
        }
    }

    void refused(Note note, RejectedExecutionException e) {
        ledger.refused(note);
        checkRefusal(e);
    }

    void checkAnswer(int expected, @Nullable Integer value, boolean isShort, @Nullable Throwable failure) {
        boolean mayTimeOut = isShort || (end == End.SHUTDOWN_NOW && ending); // shutdownNow expires all time limits
        boolean mayBe = failure == null
                ? value != null && value == expected
                : failure instanceof RejectedExecutionException
                        || failure instanceof IllegalStateException // this request would have closed a cycle
                        || (mayTimeOut && failure instanceof TimeoutException);
        if (!mayBe) {
            ledger.error("expected the answer " + expected + ", got " + value + " or " + failure);
        }
    }

    void execute(Runnable task) {
        try {
            spindle.execute(task);
        } catch (RejectedExecutionException e) {
            checkRefusal(e);
            task.run();
        }
    }

    boolean offer(Member to, Note note) {
        return noted(note, () -> to.ref().offer(note));
    }

    private boolean noted(Note note, BooleanSupplier send) {
        ledger.begun();
        try {
            if (send.getAsBoolean()) {
                ledger.accepted(note);
                return true;
            }
            ledger.refused(note);
        } catch (RejectedExecutionException e) {
            refused(note, e);
        }
        return false;
    }

    CompletionStage<@Nullable Void> sendAsync(Member to, Note note) {
        ledger.begun();
        openStages.incrementAndGet();
        return to.ref().sendAsync(note).whenComplete((sent, wrapped) -> {
            Throwable failure = unwrapped(wrapped);
            if (failure == null) {
                ledger.accepted(note);
            } else if (failure instanceof RejectedExecutionException e) {
                refused(note, e);
            } else if (failure instanceof IllegalStateException) {
                ledger.refused(note);
            } else {
                ledger.error("a stage failed with " + failure);
            }
            openStages.decrementAndGet();
        });
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }

    // ---------------------------------------------------------------- threads

    /** Sends one note after another, in all ways. */
    private final class Sender extends Thread {
        private final SplittableRandom random;
        private final int source;
        private final int[] numbers = new int[MOST_ACTORS];
        volatile boolean interrupting;

        Sender(int number, SplittableRandom random) {
            super("actors-sender-" + number);
            this.random = random;
            source = -number;
            setDaemon(true);
        }

        @Override
        public void run() {
            for (int i = random.nextInt(isFlood ? MOST_STEPS : 8); i > 0; i--) {
                step(members.get(random.nextInt(members.size())));
            }
        }

        private void step(Member to) {
            int number = ++numbers[to.index];
            int budget = random.nextInt(isFlood ? MOST_BUDGET : LONGEST_CHAIN);
            switch (random.nextInt(10)) {
                case 0 -> offer(to, new Note(source, Way.ORDERED, number, budget));
                case 1 -> offer(to, new Note(source, Way.LATEST, number, budget));
                case 2 -> sendAsync(to, new Note(source, Way.FREE, number, budget));
                case 3 -> uninterrupted(sendAsync(to, new Note(source, Way.ORDERED, number, budget)));
                case 4 -> uninterrupted(ask(to, number, budget));
                case 5 -> ask(to, number, budget);
                case 6 -> {
                    if (mayStop && random.nextInt(40) == 0) {
                        CompletableFuture<?> unused = to.ref().halt();
                    }
                }
                default -> send(to, new Note(source, Way.ORDERED, number, budget));
            }
        }

        private void send(Member to, Note note) {
            boolean unused = noted(note, () -> {
                try {
                    to.ref().send(note);
                    return true;
                } catch (InterruptedException e) {
                    if (!interrupting) {
                        ledger.error(getName() + " got an interrupt that was not meant for it");
                    }
                    return false;
                }
            });
        }

        private CompletionStage<?> ask(Member to, int number, int budget) {
            boolean isShort = random.nextInt(4) == 0;
            openStages.incrementAndGet();
            return to.ref()
                    .ask(
                            (CompletableFuture<Integer> reply) ->
                                    new Note(source, Way.FREE, number, budget, reply, isShort),
                            isShort ? Duration.ofNanos(1 + random.nextInt(500_000)) : Member.LONG)
                    .whenComplete((value, failure) -> {
                        checkAnswer(number, value, isShort, unwrapped(failure));
                        openStages.decrementAndGet();
                    });
        }

        /**
         * Waits until {@code stage} is complete. An interrupt does not end the wait, and the interrupt status is
         * restored.
         */
        private void uninterrupted(CompletionStage<?> stage) {
            CountDownLatch complete = new CountDownLatch(1);
            CompletionStage<?> unused = stage.whenComplete((value, failure) -> complete.countDown());
            boolean interrupted = false;
            while (complete.getCount() > 0) {
                try {
                    complete.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                interrupt();
            }
        }
    }

    @Override
    public String toString() {
        return end + ", " + members + (mayStop ? " that may stop, " : ", ") + senders.size() + " threads on " + spindle;
    }
}

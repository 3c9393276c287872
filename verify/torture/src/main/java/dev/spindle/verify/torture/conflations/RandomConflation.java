// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.conflations;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.channel.Channel;
import dev.spindle.channel.ChannelClosedException;
import dev.spindle.verify.torture.tools.Pause;
import dev.spindle.verify.torture.tools.PoolState;
import dev.spindle.verify.torture.tools.RandomProgram;
import dev.spindle.verify.torture.tools.Spindles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs a conflating channel with a consumer and several senders. The seed determines everything except the scheduling
 * of threads. Each accepted update must be delivered, superseded or returned, and the values of a key must stay in
 * order. The program must end although the channel may be full, and although callbacks of senders block and send.
 */
public final class RandomConflation extends RandomProgram {
    private static final int MOST_SENDERS = 4;
    private static final int MOST_UPDATES = 600;
    private static final int KEYS = 12;
    private static final int CALLBACK_KEY = 100;
    private static final long NAP_NANOS = 100_000;

    /** The ways to end. */
    private enum End {
        DRAIN,
        HALT,
        SHUTDOWN,
        SHUTDOWN_NOW,
        /** Shuts only the consumer's strand down. */
        STRAND_SHUTDOWN,
        STRAND_SHUTDOWN_NOW
    }

    private final SplittableRandom random;
    private final int workers;
    private final int maxKeys;
    private final boolean shared;
    private final boolean cancels;
    private final End end;
    private final Spindle spindle;
    private final Strand strand;
    private final Channel<Value> channel;
    private final CompletableFuture<@Nullable Void> consumer;
    private final Queue<Value> returned = new ConcurrentLinkedQueue<>(); // to the handler of failures
    private final Deliveries deliveries = new Deliveries();
    private final List<Sender> senders = new ArrayList<>();
    private final AtomicInteger callbacks = new AtomicInteger();
    private final AtomicInteger acceptedOfCallbacks = new AtomicInteger();
    private volatile boolean interrupting;

    /** Creates the channel for a seed; {@link #run()} returns the number of accepted updates. */
    public RandomConflation(long seed) {
        random = new SplittableRandom(seed);
        workers = 1 + random.nextInt(3);
        maxKeys = random.nextInt(3) == 0 ? 2 * KEYS : 1 + random.nextInt(4);
        shared = random.nextBoolean();
        cancels = shared && random.nextInt(4) == 0;
        end = End.values()[random.nextInt(End.values().length)];
        spindle = Spindles.builder()
                .name("conflation-" + seed)
                .coreThreads(workers)
                .maxThreads(workers)
                .onFailure((activity, failure) -> {
                    if (failure instanceof RejectedExecutionException && activity.task() instanceof Value value) {
                        returned.add(value); // of a sender, for a consumer that had ended in a channel that had ended
                    } else if (!(failure instanceof Deliveries.Planned)) {
                        deliveries.error("the failure handler was told of " + failure);
                    }
                })
                .build();
        strand = spindle.strand("strand");
        channel = Channel.conflating("values", maxKeys, Value::key);
        consumer = channel.forEach(strand, deliveries);
        for (int i = 1 + random.nextInt(MOST_SENDERS); i > 0; i--) {
            senders.add(new Sender(senders.size(), random.split()));
        }
    }

    @Override
    protected int run() throws InterruptedException, ExecutionException, TimeoutException {
        senders.forEach(Thread::start);
        for (int i = random.nextInt(60); i > 0; i--) {
            Pause.spin(random.nextInt(20_000));
            if (random.nextInt(8) == 0) {
                interrupting = true;
                senders.get(random.nextInt(senders.size())).interrupt();
            }
            if (cancels) {
                List<Runnable> unused = strand.cancelPending();
            }
            if (shared) {
                strand.execute(() -> Pause.spin(1_000));
            }
        }
        if (random.nextInt(4) == 0 && !cancels) {
            join();
        }
        end();
        List<Value> rest = channel.halt().join().items(); // blocked senders are refused
        join();
        shutDown(spindle);
        return check(rest);
    }

    @Override
    protected void release() {
        List<Runnable> unused = spindle.shutdownNow();
    }

    private void end() throws InterruptedException, ExecutionException, TimeoutException {
        switch (end) {
            case DRAIN -> {
                channel.close();
                of(consumer);
            }
            case HALT -> {} // the caller halts the channel
            case SHUTDOWN -> inTime(spindle::shutdown);
            case SHUTDOWN_NOW -> inTime(spindle::shutdownNow);
            case STRAND_SHUTDOWN -> inTime(strand::shutdown);
            case STRAND_SHUTDOWN_NOW -> inTime(strand::shutdownNow);
        }
        if (end == End.STRAND_SHUTDOWN || end == End.STRAND_SHUTDOWN_NOW) {
            awaitTermination(strand, spindle);
        } else if (end == End.SHUTDOWN || end == End.SHUTDOWN_NOW) {
            awaitTermination(spindle, spindle);
        }
    }

    /** Runs a call that must return within the time limit. */
    private void inTime(Runnable call) throws InterruptedException, TimeoutException {
        Thread thread = new Thread(call, "conflation-end");
        thread.setDaemon(true);
        thread.start();
        join(thread, "the call that ends it does not return");
    }

    private void join() throws InterruptedException, TimeoutException {
        for (Sender sender : senders) {
            join(sender, "a sender waits without end");
            sender.settle();
        }
    }

    private void join(Thread thread, String otherwise) throws InterruptedException, TimeoutException {
        thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        if (thread.isAlive()) {
            throw new TimeoutException(otherwise + ": " + channel + "; " + PoolState.of(spindle));
        }
    }

    private <T extends @Nullable Object> T of(CompletionStage<T> stage)
            throws InterruptedException, ExecutionException, TimeoutException {
        return stage.toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private int check(List<Value> rest) {
        List<Value> undelivered = new ArrayList<>(returned);
        undelivered.addAll(rest);
        deliveries.undelivered(undelivered);
        int accepted = acceptedOfCallbacks.get();
        int calls = 0;
        for (Sender sender : senders) {
            deliveries.checkLast(sender.number, sender.accepted);
            accepted += sender.count;
            calls += sender.calls;
        }
        if (callbacks.get() != calls) {
            deliveries.error(calls + " senders asked to be called back, and " + callbacks + " were");
        }
        if (end == End.DRAIN && !rest.isEmpty()) {
            deliveries.error("a drain left " + rest);
        }
        requireSound(deliveries.errors());
        return accepted;
    }

    /** Sends values in all ways. */
    private final class Sender extends Thread {
        final int number;
        private final SplittableRandom random;
        private final List<CompletableFuture<?>> later = new ArrayList<>();
        /** The number of the last accepted update of each key, except those of {@code sendAsync}. */
        final Map<Integer, Integer> accepted = new HashMap<>();

        int count;
        /** The expected number of callbacks. */
        int calls;

        Sender(int number, SplittableRandom random) {
            super("conflation-sender-" + number);
            this.number = number;
            this.random = random;
            setDaemon(true);
        }

        @Override
        public void run() {
            int left = random.nextInt(MOST_UPDATES);
            for (int i = 0; i < left; i++) {
                int key = random.nextInt(KEYS);
                try {
                    switch (key % 3) {
                        case 0 -> note(channel.offer(new Value(key, number, i)), key, i);
                        case 1 -> {
                            channel.send(new Value(key, number, i));
                            note(true, key, i);
                        }
                        default -> sendAsync(key, i); // these values have no order
                    }
                } catch (ChannelClosedException e) {
                    return;
                } catch (InterruptedException e) {
                    if (!interrupting) {
                        deliveries.error("a sender got an interrupt that was not meant for it");
                    }
                } catch (RuntimeException e) {
                    deliveries.error("a sender got " + e);
                }
            }
        }

        private void sendAsync(int key, int i) {
            CompletableFuture<?> stage = channel.sendAsync(new Value(key, -1, i));
            calls++;
            later.add(stage.whenComplete((nothing, failure) -> calledBack()));
        }

        private void note(boolean wasAccepted, int key, int i) {
            if (wasAccepted) {
                accepted.merge(key, i, Math::max);
                count++;
            }
        }

        void settle() throws InterruptedException, TimeoutException {
            for (CompletableFuture<?> one : later) {
                try {
                    one.get(LIMIT_SECONDS, TimeUnit.SECONDS);
                    count++;
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof ChannelClosedException)) {
                        deliveries.error("a sender was told of " + e.getCause());
                    }
                } catch (TimeoutException e) {
                    throw new TimeoutException(
                            "a sender was never told, or called back: " + channel + "; " + PoolState.of(spindle));
                }
            }
            later.clear();
        }
    }

    /** Blocks in some calls, and then sends a value. On a worker, the callback offers the value instead. */
    private void calledBack() {
        int number = callbacks.incrementAndGet();
        if (number % 4 == 0) {
            Pause.whole(NAP_NANOS);
        }
        int key = CALLBACK_KEY + number % 3;
        try {
            boolean accepted;
            try {
                channel.send(new Value(key, -1, number));
                accepted = true;
            } catch (ChannelClosedException e) {
                return;
            } catch (IllegalStateException onAWorker) {
                accepted = channel.offer(new Value(key, -1, number));
            }
            if (accepted) {
                acceptedOfCallbacks.incrementAndGet();
            }
        } catch (ChannelClosedException e) {
            // The channel was closed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return end + ", at most " + maxKeys + " keys, " + workers + " workers, " + senders.size() + " senders"
                + (shared ? ", on a strand with other tasks" : "") + (cancels ? ", some runs withdrawn" : "");
    }
}

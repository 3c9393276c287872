// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.channels;

import dev.spindle.Spindle;
import dev.spindle.channel.Channel;
import dev.spindle.channel.ChannelClosedException;
import dev.spindle.channel.Select;
import dev.spindle.verify.torture.tools.Pause;
import dev.spindle.verify.torture.tools.PoolState;
import dev.spindle.verify.torture.tools.RandomProgram;
import dev.spindle.verify.torture.tools.Spindles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs channels with senders, receivers, selects and consumers. Threads are interrupted, and channels are closed while
 * they are in use. The seed determines everything except the scheduling of threads. Each value that was sent must be
 * received once or returned by {@code halt}, and each receiver must receive the values of a sender in order. No thread
 * may wait forever.
 */
public final class RandomChannels extends RandomProgram {
    private static final int MOST_THREADS = 4;
    private static final int MOST_VALUES = 600;
    private static final int MOST_CHANNELS = 4;
    private static final int MOST_AT_ONCE = 5;
    private static final int MOST_CANCELS = 60;
    private static final Duration SHORT = Duration.ofNanos(50_000);

    /** The ways to end. */
    private enum End {
        CLOSE,
        CANCEL,
        /** Shuts the consumers' pool down before the channels are closed. */
        SHUTDOWN,
        SHUTDOWN_NOW
    }

    private final SplittableRandom random;
    private final End end;
    private final boolean inOrder;
    private final Spindle spindle;
    private final List<Channel<Value>> channels = new ArrayList<>();
    private final Receipts receipts = new Receipts();
    private final List<Party> senders = new ArrayList<>();
    private final List<Party> receivers = new ArrayList<>();
    private final List<CompletableFuture<@Nullable Void>> consumers = new ArrayList<>();

    /** Creates the channels for a seed; {@link #run()} returns the number of sent values. */
    public RandomChannels(long seed) {
        random = new SplittableRandom(seed);
        end = End.values()[random.nextInt(End.values().length)];
        int workers = 1 + random.nextInt(3);
        spindle = Spindles.builder()
                .name("channels-" + seed)
                .coreThreads(workers)
                .maxThreads(workers)
                .onFailure((activity, failure) -> receipts.error("the failure handler was told of " + failure))
                .build();
        for (int i = 1 + random.nextInt(MOST_CHANNELS); i > 0; i--) {
            int capacity = Math.max(0, random.nextInt(10) - 5);
            channels.add(capacity == 0 ? Channel.rendezvous("channel") : Channel.buffered("channel", capacity));
        }
        inOrder = end == End.CLOSE || end == End.CANCEL; // a shutdown puts values back out of order
        for (int i = 1 + random.nextInt(MOST_THREADS); i > 0; i--) {
            senders.add(new Sender(senders.size(), random.split()));
        }
        for (int i = random.nextInt(MOST_THREADS); i > 0; i--) {
            receivers.add(new Reader(receivers.size(), random.split()));
        }
    }

    @Override
    protected int run() throws InterruptedException, TimeoutException {
        for (int i = random.nextInt(3); i > 0; i--) {
            consume(channels.get(random.nextInt(channels.size())), "consumer " + i);
        }
        senders.forEach(Thread::start);
        receivers.forEach(Thread::start);
        for (int i = random.nextInt(60); i > 0; i--) {
            Pause.spin(random.nextInt(20_000));
            if (random.nextInt(8) == 0) {
                interruptOne(random.nextBoolean() ? senders : receivers);
            }
            if (random.nextInt(40) == 0 && !consumers.isEmpty()) {
                boolean unused = consumers.get(0).cancel(false);
            }
            if (random.nextInt(60) == 0) {
                channels.get(random.nextInt(channels.size())).close(); // the other channels stay open
            }
        }
        Receipts.Receiver rest = receipts.new Receiver("the last receiver", inOrder);
        if (random.nextInt(4) == 0) {
            receiveUntilGone(senders, rest);
        }
        end();
        receiveUntilGone(senders, rest);
        receiveUntilGone(receivers, rest);
        channels.forEach(channel -> receiveAll(channel, rest));
        for (CompletableFuture<@Nullable Void> consumer : consumers) {
            try {
                consumer.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (CancellationException e) {
                // The consumer was cancelled, or its channel was halted.
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RejectedExecutionException)) {
                    receipts.error("a consumer ended with " + e.getCause());
                }
            }
        }
        shutDown(spindle);
        channels.forEach(channel -> receiveAll(channel, rest)); // receives values that consumers put back
        requireSound(receipts.errors());
        return receipts.count();
    }

    @Override
    protected void release() {
        for (Channel<Value> channel : channels) {
            var unused = channel.halt();
        }
        List<Runnable> unused = spindle.shutdownNow();
    }

    private void consume(Channel<Value> channel, String name) {
        Receipts.Receiver receiver = receipts.new Receiver(name, inOrder);
        consumers.add(channel.forEach(spindle.strand(name), value -> receiver.accept(channel, value)));
    }

    private void interruptOne(List<Party> of) {
        if (!of.isEmpty()) {
            Party one = of.get(random.nextInt(of.size()));
            one.interrupting = true;
            one.interrupt();
        }
    }

    private void end() {
        if (end == End.SHUTDOWN) {
            spindle.shutdown();
        } else if (end == End.SHUTDOWN_NOW) {
            List<Runnable> unused = spindle.shutdownNow();
        }
        for (Channel<Value> channel : channels) {
            if (end == End.CANCEL) {
                channel.halt().join().items().forEach(receipts::received);
            } else {
                channel.close();
            }
        }
    }

    /** Receives values until all threads of the list have ended. */
    private void receiveUntilGone(List<Party> threads, Receipts.Receiver rest) throws TimeoutException {
        long from = System.nanoTime();
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                channels.forEach(channel -> receiveAll(channel, rest));
                Pause.spin(5_000);
                if (System.nanoTime() - from > TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)) {
                    throw new TimeoutException(
                            thread + " waits without end: " + channels + "; " + PoolState.of(spindle));
                }
                if (channels.get(0).isDone() && threads == receivers) {
                    Pause.park(20_000);
                }
            }
        }
    }

    private static void receiveAll(Channel<Value> channel, Receipts.Receiver to) {
        try {
            for (Value value = channel.poll(); value != null; value = channel.poll()) {
                to.accept(channel, value);
            }
        } catch (ChannelClosedException e) {
            // The channel is closed and empty.
        }
    }

    /** A thread that performs random operations on channels that are not closed. */
    private abstract class Party extends Thread {
        final SplittableRandom random;
        final Receipts.Receiver receiver;
        private final List<Channel<Value>> open = new ArrayList<>(channels);
        volatile boolean interrupting;

        Party(String name, SplittableRandom random) {
            super(name);
            this.random = random;
            receiver = receipts.new Receiver(name, inOrder);
            setDaemon(true);
        }

        abstract void step(Channel<Value> channel) throws InterruptedException, TimeoutException, ExecutionException;

        abstract boolean isOver();

        @Override
        public void run() {
            while (!isOver() && !open.isEmpty()) {
                try {
                    step(open.get(random.nextInt(open.size())));
                } catch (ChannelClosedException e) {
                    leaveClosed();
                } catch (InterruptedException e) {
                    if (!interrupting) {
                        receipts.error(getName() + " got an interrupt that was not meant for it");
                    }
                } catch (TimeoutException | RejectedExecutionException | CancellationException e) {
                    // No value was sent or received.
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof ChannelClosedException) {
                        leaveClosed();
                    } else if (!(e.getCause() instanceof RejectedExecutionException)) { // the pool refused a task
                        receipts.error(getName() + " got " + e.getCause());
                    }
                } catch (RuntimeException e) {
                    receipts.error(getName() + " got " + e);
                }
            }
        }

        /** Removes the channels that are closed and empty. */
        private void leaveClosed() {
            open.removeIf(one -> one.isDone());
        }

        /**
         * Returns a select over the remaining channels, which sends {@code value}, receives a value, or permits both.
         */
        final Select<Boolean> select(@Nullable Value value) {
            Select<Boolean> select = random.nextBoolean() ? Select.fair() : Select.biased();
            int from = random.nextInt(open.size());
            int step = random.nextBoolean() ? 1 : open.size() - 1;
            for (int i = 0; i < open.size(); i++) {
                Channel<Value> each = open.get((from + i * step) % open.size());
                if (value != null) {
                    select.send(each, value, () -> true);
                }
                if (value == null || random.nextInt(4) == 0) {
                    select.receive(each, received -> {
                        receiver.accept(each, received);
                        return false;
                    });
                }
            }
            return select;
        }

        /** Returns the result of {@code stage}. In one of three cases, the thread first tries to cancel the stage. */
        final <T extends @Nullable Object> T resultOf(CompletableFuture<T> stage) throws ExecutionException {
            if (random.nextInt(3) == 0) {
                Pause.spin(random.nextInt(random.nextBoolean() ? 1_000 : 10_000)); // may race with the hand-over
                boolean unused = stage.cancel(false);
            }
            return uninterrupted(stage);
        }

        /** Tries to cancel {@code stage}; returns true if the stage had already completed. */
        final boolean wasTooLateToCancel(CompletableFuture<?> stage) throws ExecutionException {
            Pause.spin(random.nextInt(2_000));
            if (stage.cancel(false)) {
                return false;
            }
            Object unused = uninterrupted(stage);
            return true;
        }

        /**
         * Passes each result of {@code stages} to {@code then}. Skips stages that were cancelled or that failed, and at
         * the end throws the last failure.
         */
        final <K, T extends @Nullable Object> void allOf(
                Map<K, CompletableFuture<T>> stages, BiConsumer<? super K, ? super T> then) throws ExecutionException {
            ExecutionException failure = null;
            for (Map.Entry<K, CompletableFuture<T>> one : stages.entrySet()) {
                try {
                    then.accept(one.getKey(), resultOf(one.getValue()));
                } catch (ExecutionException e) {
                    failure = e;
                } catch (CancellationException e) {
                    // No value was sent or received.
                }
            }
            if (failure != null) {
                throw failure;
            }
        }

        /** Waits for {@code future}. An interrupt does not end the wait, and the interrupt status is restored. */
        final <T extends @Nullable Object> T uninterrupted(Future<T> future) throws ExecutionException {
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return future.get();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    interrupt();
                }
            }
        }
    }

    private final class Sender extends Party {
        private final int sender;
        private final int values;
        private int number;

        Sender(int sender, SplittableRandom random) {
            super("channel-sender-" + sender, random);
            this.sender = sender;
            values = random.nextInt(MOST_VALUES);
        }

        @Override
        boolean isOver() {
            return number == values;
        }

        @Override
        void step(Channel<Value> channel) throws InterruptedException, TimeoutException, ExecutionException {
            if (random.nextInt(4) == 0) {
                if (random.nextBoolean()) {
                    sendSeveral(channel);
                } else {
                    sendAndCancel(channel);
                }
                return;
            }
            Value value = new Value(sender, number++);
            switch (random.nextInt(7)) {
                case 0 -> {
                    if (!channel.offer(value)) {
                        return;
                    }
                }
                case 1 -> {
                    if (!channel.offer(value, SHORT)) {
                        return;
                    }
                }
                case 2 -> resultOf(channel.sendAsync(value));
                case 3 -> resultOf(inATask(() -> channel.sendAsync(value)));
                case 4 -> {
                    if (!select(value).orElse(() -> false)) {
                        return;
                    }
                }
                case 5 -> {
                    Select<Boolean> select = select(value).onTimeout(SHORT, () -> false);
                    if (!(random.nextBoolean() ? select.await() : resultOf(select.awaitAsync(spindle)))) {
                        return;
                    }
                }
                default -> channel.send(value);
            }
            receipts.sent(value);
        }

        /** Sends several values in order without waiting for each. */
        private void sendSeveral(Channel<Value> channel) throws ExecutionException {
            Map<Value, CompletableFuture<@Nullable Void>> stages = new LinkedHashMap<>();
            for (int i = 1 + random.nextInt(MOST_AT_ONCE); i > 0 && !isOver(); i--) {
                Value value = new Value(sender, number++);
                stages.put(value, channel.sendAsync(value));
            }
            allOf(stages, (value, sent) -> receipts.sent(value));
        }

        private void sendAndCancel(Channel<Value> channel) throws ExecutionException {
            for (int i = random.nextInt(MOST_CANCELS); i > 0 && !isOver(); i--) {
                Value value = new Value(sender, number++);
                if (wasTooLateToCancel(channel.sendAsync(value))) {
                    receipts.sent(value);
                }
            }
        }

        private <T extends @Nullable Object> CompletableFuture<T> inATask(Supplier<CompletableFuture<T>> call)
                throws ExecutionException {
            AtomicReference<CompletableFuture<T>> stage = new AtomicReference<>();
            uninterrupted(spindle.submit(() -> stage.set(call.get())));
            return stage.get();
        }
    }

    private final class Reader extends Party {
        Reader(int number, SplittableRandom random) {
            super("channel-receiver-" + number, random);
        }

        @Override
        boolean isOver() {
            return false; // the thread ends when all channels are closed
        }

        private void receiveWithin(Channel<Value> channel, Duration timeout) throws InterruptedException {
            Value value = channel.poll(timeout);
            if (value != null) {
                receiver.accept(channel, value);
            }
        }

        @Override
        void step(Channel<Value> channel) throws InterruptedException, TimeoutException, ExecutionException {
            switch (random.nextInt(7)) {
                case 0 -> {
                    Value value = channel.poll();
                    if (value != null) {
                        receiver.accept(channel, value);
                    }
                }
                case 1 -> {
                    for (int i = random.nextInt(MOST_CANCELS); i > 0; i--) {
                        receiveWithin(channel, Duration.ofNanos(1 + random.nextInt(5_000)));
                    }
                }
                case 2 -> receiver.accept(channel, resultOf(channel.receiveAsync()));
                case 3 -> {
                    Select<Boolean> select = select(null).onTimeout(SHORT, () -> false);
                    boolean unused = random.nextBoolean() ? select.await() : resultOf(select.awaitAsync(spindle));
                }
                case 4 -> {
                    Map<Integer, CompletableFuture<Value>> stages = new LinkedHashMap<>();
                    for (int i = 1 + random.nextInt(MOST_AT_ONCE); i > 0; i--) {
                        stages.put(i, channel.receiveAsync());
                    }
                    allOf(stages, (place, value) -> receiver.accept(channel, value));
                }
                case 5 -> {
                    for (int i = random.nextInt(MOST_CANCELS); i > 0; i--) {
                        CompletableFuture<Value> stage = channel.receiveAsync();
                        if (wasTooLateToCancel(stage)) {
                            receiver.accept(channel, stage.join());
                        }
                    }
                }
                default -> receiver.accept(channel, channel.receive());
            }
        }
    }

    @Override
    public String toString() {
        return end + ", " + channels + ", " + senders.size() + " senders, " + receivers.size() + " receivers, "
                + consumers.size() + " consumers on " + spindle;
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Subject.PassSize;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.executors.SerialExecutors;
import dev.spindle.channel.Channel;
import dev.spindle.channel.Select;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends numbered values from some senders to as many receivers. Each receiver checks the order of the values of each
 * sender. At the end of a pass, the totals show values that were lost or duplicated.
 */
final class Passing implements Subject {
    static final Figure VALUE = Figure.less("ns_per_value", "ns/value");

    private static final int MOST_PARTIES = 4;
    private static final int SHIFT = 12; // the number of bits for the number of a value
    private static final int NUMBERS = 1 << SHIFT; // more than twice the capacity of any link
    private static final Integer END = -1;
    private static final Integer[] VALUES = new Integer[MOST_PARTIES << SHIFT];

    static {
        Arrays.setAll(VALUES, value -> value);
    }

    private final int parties;
    private final Line line;
    private final PassSize size;

    interface Line {
        /** Sends {@code share} values from each sender, and returns when all have been received. */
        void pass(int share, List<Receiver> receivers) throws InterruptedException;

        default void close() {}
    }

    Passing(int parties, Line line) {
        this.parties = parties;
        this.line = line;
        size = new PassSize(1_000 * parties, 4_000_000);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        int share = size.size() / parties;
        int all = share * parties;
        List<Receiver> receivers = Stream.generate(Receiver::new).limit(parties).toList();
        recorder.begin();
        line.pass(share, receivers);
        size.took(recorder.end(all, VALUE));
        long count = 0;
        long sum = (long) -parties
                * IntStream.range(0, share).mapToLong(i -> i & (NUMBERS - 1)).sum();
        for (Receiver receiver : receivers) {
            recorder.violations(receiver.tally[Receiver.MISPLACED]);
            count += receiver.tally[Receiver.COUNT];
            sum += receiver.tally[Receiver.SUM];
        }
        recorder.violations(Math.abs(count - all));
        recorder.violations(sum == 0 ? 0 : 1); // any other sum shows that a value was replaced by another
    }

    @Override
    public void close() {
        line.close();
    }

    /** The counts of one receiver, on a cache line of their own. */
    static final class Receiver {
        private static final int LINE = 8; // longs
        private static final int NEXT = LINE; // the next number of each sender
        private static final int COUNT = NEXT + MOST_PARTIES;
        private static final int SUM = COUNT + 1;
        private static final int MISPLACED = COUNT + 2;

        private final long[] tally = new long[3 * LINE];

        void accept(int value) {
            int next = NEXT + (value >> SHIFT);
            int number = value & (NUMBERS - 1);
            boolean behind = ((number - tally[next]) & (NUMBERS - 1)) >= NUMBERS / 2;
            tally[MISPLACED] += behind ? 1 : 0;
            tally[next] = number + 1L;
            tally[COUNT]++;
            tally[SUM] += number;
        }
    }

    private static Integer value(int sender, int number) {
        return VALUES[sender << SHIFT | (number & (NUMBERS - 1))];
    }

    static Line threads(Link link, Executor threads) {
        return (share, receivers) -> {
            CountDownLatch done = new CountDownLatch(receivers.size());
            for (int party = 0; party < receivers.size(); party++) {
                int sender = party;
                Receiver receiver = receivers.get(party);
                threads.execute(() -> Waits.ignoring(() -> {
                    for (int i = 0; i < share; i++) {
                        receiver.accept(link.receive().receive());
                    }
                    done.countDown();
                }));
                threads.execute(() -> Waits.ignoring(() -> {
                    for (int i = 0; i < share; i++) {
                        link.send().send(value(sender, i));
                    }
                }));
            }
            Waits.await(done, "not all values had come");
        };
    }

    /** Runs each sender and each receiver on a strand, with one channel. */
    static Line tasks(int parties, int capacity, int threads) {
        return new Tasks(parties, List.of(Link.channelOf(capacity)), threads);
    }

    /**
     * Runs a sender and a receiver on two strands, with several rendezvous channels. The sender uses the channels
     * round-robin, and the receiver selects.
     */
    static Line selectingTasks(int channels, int threads) {
        return new Tasks(1, Link.channels(channels), threads);
    }

    private static final class Tasks implements Line {
        private final Spindle spindle;
        private final List<Channel<Integer>> channels;
        private final List<Strand> senders = new ArrayList<>();
        private final List<Strand> receiving = new ArrayList<>();
        private final Select<Integer> select = Select.biased(); // the peers' selects are biased
        private volatile List<Receiver> to = List.of();
        private volatile CountDownLatch ended = new CountDownLatch(0);

        Tasks(int parties, List<Channel<Integer>> channels, int threads) {
            this.channels = channels;
            spindle = SerialExecutors.spindle(threads);
            for (int party = 0; party < parties; party++) {
                int own = party;
                senders.add(spindle.strand("sender-" + own));
                receiving.add(spindle.strand("receiver-" + own));
                if (channels.size() == 1) {
                    CompletableFuture<@Nullable Void> unused =
                            channels.get(0).forEach(receiving.get(own), value -> deliver(own, value));
                }
            }
            if (channels.size() > 1) {
                channels.forEach(channel -> select.receive(channel, value -> value));
                receiving.get(0).execute(this::selectSome);
            }
        }

        private void deliver(int receiver, Integer value) {
            if (value.equals(END)) {
                ended.countDown();
            } else {
                to.get(receiver).accept(value);
            }
        }

        private void selectSome() {
            CompletableFuture<Integer> stage = select.awaitAsync(spindle);
            for (; stage.isDone(); stage = select.awaitAsync(spindle)) {
                deliver(0, stage.join());
            }
            CompletableFuture<@Nullable Void> unused = stage.thenAcceptAsync(
                    value -> {
                        deliver(0, value);
                        selectSome();
                    },
                    receiving.get(0));
        }

        @Override
        public void pass(int share, List<Receiver> receivers) throws InterruptedException {
            CountDownLatch ends = new CountDownLatch(senders.size());
            ended = ends;
            to = receivers;
            for (int party = 0; party < senders.size(); party++) {
                senders.get(party).execute(new Sender(party, share));
            }
            Waits.await(ends, "not all values had come");
            // All values have been received, but a receiver's turn may still be handling the last one.
            CountDownLatch idle = new CountDownLatch(receiving.size());
            receiving.forEach(strand -> strand.execute(idle::countDown));
            Waits.await(idle, "the receivers had not ended");
        }

        @Override
        public void close() {
            channels.forEach(Channel::close);
            spindle.close();
        }

        /** Sends until a channel has no room, and resumes after the channel has accepted the value. */
        private final class Sender implements Runnable {
            private final int sender;
            private final int share;
            private int sent;

            Sender(int sender, int share) {
                this.sender = sender;
                this.share = share;
            }

            /** Counts in local variables, because the fields may share a cache line with another sender's fields. */
            @Override
            public void run() {
                int channel = sent % channels.size(); // avoids a division per value
                for (int next = sent; next <= share; ) {
                    Integer value = next == share ? END : value(sender, next);
                    next++;
                    CompletableFuture<@Nullable Void> stage =
                            channels.get(channel).sendAsync(value);
                    channel = channel + 1 == channels.size() ? 0 : channel + 1;
                    if (!stage.isDone()) {
                        sent = next;
                        CompletableFuture<@Nullable Void> unused = stage.thenRunAsync(this, senders.get(sender));
                        return;
                    }
                }
            }
        }
    }

    /** Transfers values from one thread to another through a queue or channels. */
    record Link(Send send, Receive receive) {
        interface Send {
            void send(Integer value) throws InterruptedException;
        }

        interface Receive {
            Integer receive() throws InterruptedException;
        }

        /** Returns a channel with a buffer of the given size; 0 means a rendezvous channel. */
        static Channel<Integer> channelOf(int capacity) {
            return capacity == 0 ? Channel.rendezvous("channel") : Channel.buffered("channel", capacity);
        }

        static List<Channel<Integer>> channels(int count) {
            return Stream.generate(() -> Channel.<Integer>rendezvous("channel"))
                    .limit(count)
                    .toList();
        }

        static Link channel(int capacity) {
            Channel<Integer> channel = channelOf(capacity);
            return new Link(channel::send, channel::receive);
        }

        static Link queue(int capacity) {
            BlockingQueue<Integer> queue =
                    capacity == 0 ? new SynchronousQueue<>() : new ArrayBlockingQueue<>(capacity);
            return new Link(queue::put, queue::take);
        }

        /** The sender uses rendezvous channels round-robin, and the receiver selects among them. */
        static Link select(int count) {
            List<Channel<Integer>> channels = channels(count);
            int[] next = new int[1];
            return new Link(
                    value -> {
                        channels.get(next[0]).send(value);
                        next[0] = next[0] + 1 == count ? 0 : next[0] + 1;
                    },
                    () -> {
                        Select<Integer> select = Select.biased(); // the peers' selects are biased
                        channels.forEach(channel -> select.receive(channel, value -> value));
                        return select.await();
                    });
        }

        /**
         * Links of Jox's channels. Jox's classes need a newer JDK than this code is compiled for. The code therefore
         * calls Jox's methods by constant method handles, which the JIT compiler inlines.
         */
        static final class Jox {
            private static final Class<?> CHANNEL = type("Channel");
            private static final Class<?> CLAUSE = type("SelectClause");
            private static final MethodHandle RENDEZVOUS = handle(true, CHANNEL, "newRendezvousChannel", CHANNEL);
            private static final MethodHandle BUFFERED =
                    handle(true, CHANNEL, "newBufferedChannel", CHANNEL, int.class);
            private static final MethodHandle SEND = handle(false, CHANNEL, "send", void.class, Object.class);
            private static final MethodHandle RECEIVE = handle(false, CHANNEL, "receive", Object.class);
            private static final MethodHandle RECEIVE_CLAUSE = handle(false, CHANNEL, "receiveClause", CLAUSE);
            private static final MethodHandle SELECT =
                    handle(true, type("Select"), "select", Object.class, CLAUSE.arrayType());

            private Jox() {}

            private interface Call {
                Object call() throws Throwable;
            }

            private static Class<?> type(String name) {
                try {
                    return Class.forName("com.softwaremill.jox." + name);
                } catch (ClassNotFoundException | UnsupportedClassVersionError e) {
                    throw new IllegalStateException("no Jox on Java " + Runtime.version(), e);
                }
            }

            private static MethodHandle handle(
                    boolean ofClass, Class<?> of, String name, Class<?> result, Class<?>... parameters) {
                MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                MethodType type = MethodType.methodType(result, parameters);
                try {
                    MethodHandle found =
                            ofClass ? lookup.findStatic(of, name, type) : lookup.findVirtual(of, name, type);
                    return found.asFixedArity().asType(found.type().generic());
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException("Jox has another " + name, e);
                }
            }

            private static Object call(Call call) throws InterruptedException {
                try {
                    return call.call();
                } catch (InterruptedException | RuntimeException e) {
                    throw e;
                } catch (Throwable t) {
                    throw new IllegalStateException(t);
                }
            }

            private static Object channelOf(int capacity) {
                try {
                    return capacity == 0
                            ? (Object) RENDEZVOUS.invokeExact()
                            : (Object) BUFFERED.invokeExact((Object) capacity);
                } catch (Throwable t) {
                    throw new IllegalStateException(t);
                }
            }

            static Link link(int capacity) {
                Object channel = channelOf(capacity);
                return new Link(
                        value -> {
                            Object unused = call(() -> (Object) SEND.invokeExact(channel, (Object) value));
                        },
                        () -> (Integer) call(() -> (Object) RECEIVE.invokeExact(channel)));
            }

            /** The sender uses rendezvous channels round-robin, and the receiver selects among them. */
            static Link select(int count) {
                Object[] channels = new Object[count];
                Arrays.setAll(channels, i -> channelOf(0));
                int[] next = new int[1];
                return new Link(
                        value -> {
                            Object unused = call(() -> (Object) SEND.invokeExact(channels[next[0]], (Object) value));
                            next[0] = next[0] + 1 == count ? 0 : next[0] + 1;
                        },
                        () -> (Integer) call(() -> {
                            Object[] clauses = (Object[]) Array.newInstance(CLAUSE, count);
                            for (int i = 0; i < count; i++) {
                                clauses[i] = (Object) RECEIVE_CLAUSE.invokeExact(channels[i]);
                            }
                            return (Object) SELECT.invokeExact((Object) clauses);
                        }));
            }
        }
    }
}

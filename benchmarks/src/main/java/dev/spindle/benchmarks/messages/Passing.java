// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.PassSize;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.peers.SerialExecutors;
import dev.spindle.benchmarks.peers.Starter;
import dev.spindle.channel.Channel;
import dev.spindle.channel.Select;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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

    static Line threads(Link link, Starter starter) {
        return (share, receivers) -> {
            CountDownLatch done = new CountDownLatch(receivers.size());
            for (int party = 0; party < receivers.size(); party++) {
                int sender = party;
                Receiver receiver = receivers.get(party);
                starter.start(() -> Waits.ignoring(() -> {
                    for (int i = 0; i < share; i++) {
                        receiver.accept(link.receive().receive());
                    }
                    done.countDown();
                }));
                starter.start(() -> Waits.ignoring(() -> {
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
}

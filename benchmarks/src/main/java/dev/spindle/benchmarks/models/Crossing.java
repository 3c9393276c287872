// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.benchmarks.compare.PassSize;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.forks.Interruptions;
import dev.spindle.benchmarks.forks.StalledException;
import dev.spindle.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Numbered values through one channel, from four senders to four receivers. Each receiver checks that those of one
 * sender come in order, and all together that none is lost or doubled.
 */
final class Crossing implements Subject {
    private static final int PARTIES = 4;
    private static final int PATIENCE_SECONDS = 30;
    private static final int SENDER_SHIFT = 24; // a value is its sender and its number
    private static final int NUMBER = (1 << SENDER_SHIFT) - 1;

    private final Line line;
    private final PassSize size = new PassSize(1_000 * PARTIES, 4_000_000);

    /** Sends so many values from each sender. */
    interface Line {
        /** Returns when all were received. */
        void pass(int share, List<Receiver> receivers) throws InterruptedException;

        default void close() {}
    }

    Crossing(Line line) {
        this.line = line;
    }

    /** A thread for each sender and each receiver. */
    static Line threads(Link link, ThreadCrowd.Starter starter) {
        return (share, receivers) -> {
            CountDownLatch done = new CountDownLatch(PARTIES);
            for (int party = 0; party < PARTIES; party++) {
                int sender = party << SENDER_SHIFT;
                Receiver receiver = receivers.get(party);
                starter.start(() -> Interruptions.ignoring(() -> {
                    for (int i = 0; i < share; i++) {
                        receiver.accept(link.receive());
                    }
                    done.countDown();
                }));
                starter.start(() -> Interruptions.ignoring(() -> {
                    for (int i = 0; i < share; i++) {
                        link.send(sender | i);
                    }
                }));
            }
            await(done);
        };
    }

    /** A strand for each, on a channel of Spindle's. */
    static Line tasks(int capacity, int threads) {
        return new Tasks(Channel.buffered(capacity), threads);
    }

    private static void await(CountDownLatch done) throws InterruptedException {
        if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException("not all values had come after " + PATIENCE_SECONDS + " s");
        }
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        int share = size.size() / PARTIES;
        List<Receiver> receivers = new ArrayList<>();
        for (int i = 0; i < PARTIES; i++) {
            receivers.add(new Receiver());
        }
        recorder.begin();
        line.pass(share, receivers);
        long nanos = recorder.end((long) share * PARTIES);
        size.took(nanos);
        recorder.value(ModelsComparison.VALUE, (double) nanos / (share * PARTIES));
        long count = 0;
        long sum = 0;
        for (Receiver receiver : receivers) {
            recorder.violations(receiver.misplaced());
            count += receiver.count();
            sum += receiver.sum();
        }
        recorder.violations(Math.abs(count - (long) share * PARTIES));
        recorder.violations(sum == PARTIES * (share * (share - 1L) / 2) ? 0 : 1); // one in place of another
    }

    @Override
    public void close() {
        line.close();
    }

    /** What one receiver got, on a cache line of its own. */
    static final class Receiver implements Consumer<Integer> {
        private static final int NEXT = ModelsComparison.CACHE_LINE; // for each sender the least number that may come
        private static final int COUNT = NEXT + PARTIES;
        private static final int SUM = COUNT + 1;
        private static final int MISPLACED = COUNT + 2;

        private final long[] tally = new long[3 * ModelsComparison.CACHE_LINE];

        @Override
        public void accept(Integer value) {
            int next = NEXT + (value >> SENDER_SHIFT);
            int number = value & NUMBER;
            tally[MISPLACED] += number < tally[next] ? 1 : 0;
            tally[next] = number + 1L;
            tally[COUNT]++;
            tally[SUM] += number;
        }

        long count() {
            return tally[COUNT];
        }

        long sum() {
            return tally[SUM];
        }

        long misplaced() {
            return tally[MISPLACED];
        }
    }

    private static final class Tasks implements Line {
        private static final Integer END = -1;

        private final Spindle spindle;
        private final Channel<Integer> channel;
        private final List<Strand> senders = new ArrayList<>();
        private final List<Strand> receiving = new ArrayList<>();
        private volatile List<Receiver> to = List.of();
        private volatile CountDownLatch ended = new CountDownLatch(0);

        Tasks(Channel<Integer> channel, int threads) {
            this.channel = channel;
            spindle = Spindle.builder().core(threads).max(threads).build();
            for (int party = 0; party < PARTIES; party++) {
                int own = party;
                senders.add(spindle.strand("sender-" + own));
                receiving.add(spindle.strand("receiver-" + own));
                CompletableFuture<@Nullable Void> unused = channel.forEach(receiving.get(own), value -> {
                    if (value.equals(END)) {
                        ended.countDown();
                    } else {
                        to.get(own).accept(value);
                    }
                });
            }
        }

        @Override
        public void pass(int share, List<Receiver> receivers) throws InterruptedException {
            CountDownLatch ends = new CountDownLatch(PARTIES);
            ended = ends;
            to = receivers;
            for (int party = 0; party < PARTIES; party++) {
                Sender sender = new Sender(senders.get(party), party << SENDER_SHIFT, share);
                senders.get(party).execute(sender);
            }
            await(ends);
            // All values were received; now those that were under way in a receiver's turn have been handled, too.
            CountDownLatch idle = new CountDownLatch(PARTIES);
            receiving.forEach(strand -> strand.execute(idle::countDown));
            await(idle);
        }

        @Override
        public void close() {
            channel.close();
            spindle.close();
        }

        /** Sends as long as there is room, and goes on when there is again. */
        private final class Sender implements Runnable {
            private final Strand strand;
            private final int mark;
            private final int share;
            private int sent;

            Sender(Strand strand, int mark, int share) {
                this.strand = strand;
                this.mark = mark;
                this.share = share;
            }

            /** Counts in a local variable: the field is on the line of another sender's. */
            @Override
            public void run() {
                for (int next = sent; next <= share; ) {
                    Integer value = next == share ? END : Integer.valueOf(mark | next);
                    next++;
                    CompletableFuture<@Nullable Void> stage = channel.sendAsync(value);
                    if (!stage.isDone()) {
                        sent = next;
                        CompletableFuture<@Nullable Void> unused = stage.thenRunAsync(this, strand);
                        return;
                    }
                }
            }
        }
    }
}

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
import dev.spindle.channel.Select;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Numbered values from one sender to one receiver, which checks that they come in order, none lost or doubled. */
final class Passing implements Subject {
    private static final int PATIENCE_SECONDS = 30;
    private static final int NUMBERS = 4_096;
    private static final Integer[] VALUES = new Integer[NUMBERS];

    static {
        Arrays.setAll(VALUES, number -> number);
    }

    private final Line line;
    private final PassSize size = new PassSize(1_000, 4_000_000);

    /** Sends so many values, and hands what is received to the receiver. Returns at once. */
    interface Line {
        void pass(int count, Consumer<Integer> receiver);

        default void close() {}
    }

    Passing(Line line) {
        this.line = line;
    }

    /** A thread that sends, and one that receives. */
    static Line threads(Link link, ThreadCrowd.Starter starter) {
        return (count, receiver) -> {
            starter.start(() -> Interruptions.ignoring(() -> {
                for (int i = 0; i < count; i++) {
                    receiver.accept(link.receive());
                }
            }));
            starter.start(() -> Interruptions.ignoring(() -> {
                for (int i = 0; i < count; i++) {
                    link.send(VALUES[i & (NUMBERS - 1)]);
                }
            }));
        };
    }

    /** Two strands of a pool, on a channel of Spindle's. */
    static Line tasks(int capacity, int threads) {
        return new Tasks(List.of(capacity == 0 ? Channel.rendezvous() : Channel.buffered(capacity)), threads);
    }

    /** Two strands: one sends to each of some rendezvous channels in turn, one selects among them. */
    static Line selectingTasks(int channels, int threads) {
        return new Tasks(
                Stream.generate(Channel::<Integer>rendezvous).limit(channels).toList(), threads);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        int count = size.size();
        CountDownLatch done = new CountDownLatch(1);
        Check check = new Check(count, done);
        recorder.begin();
        line.pass(count, check);
        if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new StalledException("not all of " + count + " values had come after " + PATIENCE_SECONDS + " s");
        }
        long nanos = recorder.end(count);
        size.took(nanos);
        recorder.value(ModelsComparison.VALUE, (double) nanos / count);
        recorder.violations(check.misplaced);
    }

    @Override
    public void close() {
        line.close();
    }

    /** The receiver. */
    private static final class Check implements Consumer<Integer> {
        private final CountDownLatch done;
        private int left;
        private int next;
        private long misplaced;

        Check(int count, CountDownLatch done) {
            left = count;
            this.done = done;
        }

        @Override
        public void accept(Integer value) {
            misplaced += value == next ? 0 : 1;
            next = (next + 1) & (NUMBERS - 1);
            if (--left == 0) {
                done.countDown();
            }
        }
    }

    private static final class Tasks implements Line {
        private final Spindle spindle;
        private final Strand sender;
        private final Strand receiving;
        private final List<Channel<Integer>> channels;
        private final Select<Integer> select = Select.biased(); // as others are
        private volatile Consumer<Integer> receiver = none -> {};
        private int sent; // the sender's
        private int count;

        Tasks(List<Channel<Integer>> channels, int threads) {
            this.channels = channels;
            spindle = Spindle.builder().core(threads).max(threads).build();
            sender = spindle.strand("sender");
            receiving = spindle.strand("receiver");
            if (channels.size() == 1) {
                CompletableFuture<@Nullable Void> unused =
                        channels.get(0).forEach(receiving, value -> receiver.accept(value));
            } else {
                channels.forEach(channel -> select.receive(channel, value -> value));
                receiving.execute(this::selectSome);
            }
        }

        @Override
        public void pass(int values, Consumer<Integer> to) {
            receiver = to;
            sender.execute(() -> {
                sent = 0;
                count = values;
                sendSome();
            });
        }

        /** Counts in a local variable: the field is on the line of those that the receiver reads. */
        private void sendSome() {
            int end = count;
            int to = sent % channels.size(); // no division for each value
            for (int next = sent; next < end; ) {
                Channel<Integer> channel = channels.get(to);
                to = to + 1 == channels.size() ? 0 : to + 1;
                CompletableFuture<@Nullable Void> stage = channel.sendAsync(VALUES[next++ & (NUMBERS - 1)]);
                if (!stage.isDone()) {
                    sent = next;
                    CompletableFuture<@Nullable Void> unused = stage.thenRunAsync(this::sendSome, sender);
                    return;
                }
            }
        }

        private void selectSome() {
            CompletableFuture<Integer> stage = select.async();
            for (; stage.isDone(); stage = select.async()) {
                receiver.accept(stage.join());
            }
            CompletableFuture<@Nullable Void> unused = stage.thenAcceptAsync(
                    value -> {
                        receiver.accept(value);
                        selectSome();
                    },
                    receiving);
        }

        @Override
        public void close() {
            channels.forEach(Channel::close);
            spindle.close();
        }
    }
}

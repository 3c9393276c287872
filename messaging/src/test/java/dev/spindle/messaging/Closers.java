// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import static dev.spindle.TestSupport.until;

import dev.spindle.LogicalExecutor;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.StrandGroup;
import dev.spindle.Unfinished;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.actor.Supervision;
import dev.spindle.channel.Channel;
import dev.spindle.pipeline.ErrorPolicy;
import dev.spindle.pipeline.Pipeline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** The kinds of parts of a spindle that have a close, one item of which is handled at a time. */
enum Closers {
    SPINDLE("spindle main", "key orders/4711"),
    STRAND("strand journal", "strand journal"),
    GROUP("group raft", "strand raft-0"),
    LOGICAL("executor reads", "executor reads"),
    ACTORS("actors of spindle main", "actor counter"),
    PIPELINE("pipeline orders", "stage check of pipeline orders"),
    PARALLEL_STAGE("pipeline orders", "stage check of pipeline orders"),
    TWO_STAGES("pipeline orders", "stage book of pipeline orders");

    /** The name of the part in the log, without the state that follows. */
    final String part;

    /** The owner of the items. */
    final String owner;

    Closers(String part, String owner) {
        this.part = part;
        this.owner = owner;
    }

    /** Returns how many items are handled at a time. */
    int width() {
        return this == PARALLEL_STAGE ? 2 : 1;
    }

    /** The code that handles an item. */
    interface Handler {
        void handle(int item) throws Exception;
    }

    /** A part to close. */
    interface Part extends AutoCloseable {
        /** Hands over an item; throws an exception if it was refused. */
        void give(int item);

        Unfinished<?> close(Duration timeout);

        /** Waits until at least {@code items} items are where they wait for the handler. */
        default void settle(int items) {}

        @Override
        void close();

        /** Halts the part; null if only a close does. */
        default CompletableFuture<? extends Unfinished<?>> halt() {
            throw new UnsupportedOperationException();
        }
    }

    /** A task that is an item. */
    record Item(int number, Handler handler) implements Runnable {
        @Override
        public void run() {
            try {
                handler.handle(number);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Returns the numbers of the items of a report, in its order. */
    static List<Integer> numbers(Unfinished<?> left) {
        return left.items().stream().map(Closers::number).toList();
    }

    static Integer number(Object item) {
        return item instanceof Item task
                ? (Integer) task.number
                : item instanceof int[] event ? event[0] : (Integer) item;
    }

    Part make(Spindle spindle, Handler handler) {
        return switch (this) {
            case SPINDLE ->
                executor(spindle.<Integer>keyed("orders").at(4711), spindle::close, spindle::close, handler);
            case STRAND -> {
                Strand strand = spindle.strand("journal");
                yield executor(strand, strand::close, strand::close, handler);
            }
            case GROUP -> group(spindle.strandBuilder("raft").buildGroup(2), handler);
            case LOGICAL -> {
                LogicalExecutor reads = spindle.executor("reads", 1);
                yield executor(reads, reads::close, reads::close, handler);
            }
            case ACTORS -> actors(spindle, handler);
            case PIPELINE, PARALLEL_STAGE, TWO_STAGES -> pipeline(spindle, handler);
        };
    }

    private interface TimedClose {
        Unfinished<?> close(Duration timeout);
    }

    private static Part executor(Executor executor, TimedClose timed, Runnable close, Handler handler) {
        return new Part() {
            @Override
            public void give(int item) {
                executor.execute(new Item(item, handler));
            }

            @Override
            public Unfinished<?> close(Duration timeout) {
                return timed.close(timeout);
            }

            @Override
            public void close() {
                close.run();
            }
        };
    }

    private static Part group(StrandGroup group, Handler handler) {
        Part first = executor(group.at(0), group::close, group::close, handler);
        return new Part() {
            @Override
            public void give(int item) {
                first.give(item);
            }

            @Override
            public Unfinished<?> close(Duration timeout) {
                return group.close(timeout);
            }

            @Override
            public void close() {
                group.close();
            }

            @Override
            public CompletableFuture<? extends Unfinished<?>> halt() {
                return group.halt();
            }
        };
    }

    private static Part actors(Spindle spindle, Handler handler) {
        Actors actors = Actors.builder(spindle).onDrop((ref, message) -> {}).build();
        ActorRef<Integer> counter = actors.<Integer>actorBuilder(
                        "counter", () -> (message, self) -> handler.handle(message))
                .supervision(Supervision.resume())
                .build();
        return new Part() {
            @Override
            public void give(int item) {
                if (!counter.offer(item)) {
                    throw new IllegalStateException("full");
                }
            }

            @Override
            public Unfinished<?> close(Duration timeout) {
                return actors.close(timeout);
            }

            @Override
            public void close() {
                actors.close();
            }

            @Override
            public CompletableFuture<? extends Unfinished<?>> halt() {
                return actors.halt();
            }
        };
    }

    private Part pipeline(Spindle spindle, Handler handler) {
        var builder = Pipeline.builder(spindle, "orders", () -> new int[1]).capacity(1_024);
        builder = this == PARALLEL_STAGE
                ? builder.parallelStage("check", 2, event -> handler.handle(event[0]))
                : builder.stage("check", event -> {
                    if (this == PIPELINE) {
                        handler.handle(event[0]);
                    }
                });
        builder = builder.errorPolicy(ErrorPolicy.skip());
        if (this == TWO_STAGES) {
            builder = builder.stage("book", event -> handler.handle(event[0])).errorPolicy(ErrorPolicy.skip());
        }
        Pipeline<int[]> pipeline =
                builder.clear(event -> {}).onDrop((event, stages) -> {}).build();
        return new Part() {
            @Override
            public void give(int item) {
                Consumer<int[]> filler = event -> event[0] = item;
                if (!pipeline.offer(filler)) {
                    throw new IllegalStateException("full");
                }
            }

            @Override
            public Unfinished<?> close(Duration timeout) {
                return pipeline.close(timeout);
            }

            @Override
            public void close() {
                pipeline.close();
            }

            @Override
            public void settle(int items) {
                until(() ->
                        Closers.this != TWO_STAGES || pipeline.stats("check").completed() >= items);
            }

            @Override
            public CompletableFuture<? extends Unfinished<?>> halt() {
                return pipeline.halt();
            }
        };
    }

    /** Returns a channel with a consumer, which has no close that waits. */
    static Channel<Integer> channel(Spindle spindle, Handler handler) {
        Channel<Integer> pages = Channel.buffered("pages", 64);
        CompletableFuture<?> unused = pages.forEach(spindle.strand("index"), value -> {
            try {
                handler.handle(value);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        return pages;
    }
}

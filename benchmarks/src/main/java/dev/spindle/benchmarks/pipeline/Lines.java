// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.peers.Starter;
import dev.spindle.pipeline.Pipeline;
import dev.spindle.pipeline.PipelineBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The pipelines of all contenders. */
final class Lines {
    private Lines() {}

    /** A publication of events. */
    private interface Publish {
        void events(Line.Source source, int events) throws InterruptedException;
    }

    private record Made(Publish publish, Runnable ending) implements Line {
        @Override
        public void publish(Source source, int events) throws InterruptedException {
            publish.events(source, events);
        }

        @Override
        public void close() {
            ending.run();
        }
    }

    /** The limit: the publisher does the work of all stages itself. */
    static Line inPlace(Shape shape, List<Work> all, int ring) {
        Work[] works = all.toArray(Work[]::new);
        Line.Event[] slots = Stream.generate(Line.Event::new).limit(ring).toArray(Line.Event[]::new);
        return new Made(
                (source, events) -> {
                    for (int i = 0; i < events; i++) {
                        Line.Event event = slots[i & (ring - 1)];
                        source.accept(event);
                        for (Work work : works) {
                            work.see(event);
                        }
                    }
                },
                () -> {});
    }

    // ---------------------------------------------------------------- Spindle

    /** Stages that are strands of one pool, with events published in batches of a given size. */
    static Line.Maker spindle(int batch) {
        return (shape, works, ring) -> {
            int workers = Math.max(2, Runtime.getRuntime().availableProcessors());
            Spindle spindle =
                    Spindle.builder().coreThreads(workers).maxThreads(workers).build();
            PipelineBuilder<Line.Event> builder = Pipeline.builder(spindle, "pipeline", Line.Event::new)
                    .capacity(ring)
                    .singlePublisher(true);
            for (int stage = 0; stage < works.size(); stage++) {
                dev.spindle.pipeline.EventHandler<Line.Event> handler = works.get(stage)::see;
                builder.stage(name(stage), handler);
                List<Integer> after = shape.places().get(stage).after();
                if (after.isEmpty()) {
                    builder.afterPublish();
                } else {
                    builder.after(after.stream().map(Lines::name).toArray(String[]::new));
                }
            }
            Pipeline<Line.Event> pipeline = builder.build();
            Publish one = (source, events) -> {
                for (int i = 0; i < events; i++) {
                    pipeline.publish(source);
                }
            };
            Publish many = (source, events) -> {
                for (int left = events; left > 0; left -= batch) {
                    pipeline.publishAll(Lines::fill, Collections.nCopies(Math.min(batch, left), source));
                }
            };
            return new Made(batch == 1 ? one : many, () -> {
                pipeline.close();
                spindle.close();
            });
        };
    }

    private static String name(int stage) {
        return "stage-" + stage;
    }

    private static void fill(Line.Event event, Line.Source source) {
        source.accept(event);
    }

    // ---------------------------------------------------------------- the Disruptor

    /** A thread for each stage, with events published in batches of a given size. */
    static Line.Maker disruptor(Supplier<WaitStrategy> waiting, int batch) {
        return (shape, works, ring) -> {
            Disruptor<Line.Event> disruptor =
                    new Disruptor<>(Line.Event::new, ring, Starter::daemon, ProducerType.SINGLE, waiting.get());
            List<EventHandler<Line.Event>> handlers = new ArrayList<>();
            for (int stage = 0; stage < works.size(); stage++) {
                Work work = works.get(stage);
                EventHandler<Line.Event> handler = (event, sequence, endOfBatch) -> work.see(event);
                handlers.add(handler);
                List<Integer> after = shape.places().get(stage).after();
                if (after.isEmpty()) {
                    disruptor.handleEventsWith(handler);
                } else {
                    disruptor
                            .after(after.stream().map(handlers::get).toArray(EventHandler<?>[]::new))
                            .handleEventsWith(handler);
                }
            }
            RingBuffer<Line.Event> slots = disruptor.start();
            return new Made(batch == 1 ? one(slots) : many(slots, batch), disruptor::halt);
        };
    }

    private static Publish one(RingBuffer<Line.Event> slots) {
        return (source, events) -> {
            for (int i = 0; i < events; i++) {
                long sequence = slots.next();
                source.accept(slots.get(sequence));
                slots.publish(sequence);
            }
        };
    }

    private static Publish many(RingBuffer<Line.Event> slots, int batch) {
        return (source, events) -> {
            for (int left = events; left > 0; left -= batch) {
                int count = Math.min(batch, left);
                long last = slots.next(count);
                long first = last - count + 1;
                for (long sequence = first; sequence <= last; sequence++) {
                    source.accept(slots.get(sequence));
                }
                slots.publish(first, last);
            }
        };
    }

    // ---------------------------------------------------------------- queues

    /** A thread for each stage, and a bounded queue between every two stages. */
    static Line.Maker queues(IntFunction<BlockingQueue<Line.Event>> queue) {
        return (shape, works, ring) -> {
            List<BlockingQueue<Line.Event>> firsts = new ArrayList<>();
            List<Joints> joints = works.stream()
                    .map(work -> new Joints(work, new ArrayList<>(), new ArrayList<>()))
                    .toList();
            for (int stage = 0; stage < works.size(); stage++) {
                List<BlockingQueue<Line.Event>> in = joints.get(stage).in;
                List<Integer> after = shape.places().get(stage).after();
                IntStream.range(0, Math.max(1, after.size())).forEach(none -> in.add(queue.apply(ring)));
                if (after.isEmpty()) {
                    firsts.add(in.get(0));
                }
                for (int i = 0; i < after.size(); i++) {
                    joints.get(after.get(i)).out.add(in.get(i));
                }
            }
            List<Thread> threads = joints.stream()
                    .map(stage -> Waits.start("stage", () -> Waits.ignoring(stage::run)))
                    .toList();
            return new Made(
                    (source, events) -> {
                        for (int i = 0; i < events; i++) {
                            Line.Event event = new Line.Event();
                            source.accept(event);
                            for (int to = 0; to < firsts.size(); to++) {
                                firsts.get(to).put(event);
                            }
                        }
                    },
                    () -> {
                        threads.forEach(Thread::interrupt);
                        threads.forEach(thread -> Waits.ignoring(thread::join));
                    });
        };
    }

    /** A stage and the queues before and after it. */
    private record Joints(Work work, List<BlockingQueue<Line.Event>> in, List<BlockingQueue<Line.Event>> out) {
        /** All queues carry all events in one order, so that the heads of a stage's input queues are the same event. */
        void run() throws InterruptedException {
            while (true) {
                Line.Event event = in.get(0).take();
                for (int from = 1; from < in.size(); from++) {
                    if (in.get(from).take() != event) {
                        throw new IllegalStateException("the branches came out of step");
                    }
                }
                work.see(event);
                for (int to = 0; to < out.size(); to++) {
                    out.get(to).put(event);
                }
            }
        }
    }
}

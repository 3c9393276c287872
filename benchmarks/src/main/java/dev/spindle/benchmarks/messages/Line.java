// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import com.lmax.disruptor.util.DaemonThreadFactory;
import dev.spindle.Spindle;
import dev.spindle.benchmarks.compare.Waits;
import dev.spindle.benchmarks.executors.SerialExecutors;
import dev.spindle.pipeline.Pipeline;
import dev.spindle.pipeline.PipelineBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A running pipeline of a contender.
 *
 * @param publish publishes a number of events, and waits while the ring is full; called by one thread
 * @param ending stops the pipeline's threads; events in the stages may be lost
 */
record Line(Line.Publish publish, Runnable ending) {
    interface Publish {
        void events(Source source, int events) throws InterruptedException;
    }

    interface Maker {
        Line open(List<Work> works, int ring);
    }

    static final class Event {
        long number;
        long value;
        long left;
        long right;
        long publishedAt;
    }

    /** Fills events with consecutive numbers; used by the publisher's thread only. */
    static final class Source implements Consumer<Event> {
        private final boolean timed;
        private long next;

        /** @param timed true if each event stores the time of its publication */
        Source(boolean timed) {
            this.timed = timed;
        }

        @Override
        public void accept(Event event) {
            event.number = next;
            event.value = next;
            next++;
            if (timed) {
                event.publishedAt = System.nanoTime();
            }
        }

        long filled() {
            return next;
        }
    }

    static Line inPlace(List<Work> all, int ring) {
        Work[] works = all.toArray(Work[]::new);
        Event[] slots = Stream.generate(Event::new).limit(ring).toArray(Event[]::new);
        return new Line(
                (source, events) -> {
                    for (int i = 0; i < events; i++) {
                        Event event = slots[i & (ring - 1)];
                        source.accept(event);
                        for (Work work : works) {
                            work.see(event);
                        }
                    }
                },
                () -> {});
    }

    /** The stages are strands of one pool; events are published in batches of the given size. */
    static Maker spindle(int batch) {
        return (works, ring) -> {
            Spindle spindle =
                    SerialExecutors.spindle(Math.max(2, Runtime.getRuntime().availableProcessors()));
            PipelineBuilder<Event> builder = Pipeline.builder(spindle, "pipeline", Event::new)
                    .capacity(ring)
                    .singlePublisher(true);
            for (int stage = 0; stage < works.size(); stage++) {
                dev.spindle.pipeline.EventHandler<Event> handler = works.get(stage)::see;
                builder.stage(name(stage), handler);
                List<Integer> after = works.get(stage).after();
                if (after.isEmpty()) {
                    builder.afterPublish();
                } else {
                    builder.after(after.stream().map(Line::name).toArray(String[]::new));
                }
            }
            Pipeline<Event> pipeline = builder.build();
            Publish one = (source, events) -> {
                for (int i = 0; i < events; i++) {
                    pipeline.publish(source);
                }
            };
            Publish many = (source, events) -> {
                for (int left = events; left > 0; left -= batch) {
                    pipeline.publishAll(Line::fill, Collections.nCopies(Math.min(batch, left), source));
                }
            };
            return new Line(batch == 1 ? one : many, () -> {
                pipeline.close();
                spindle.close();
            });
        };
    }

    private static String name(int stage) {
        return "stage-" + stage;
    }

    private static void fill(Event event, Source source) {
        source.accept(event);
    }

    /** Each stage is a thread of the Disruptor; events are published in batches of the given size. */
    static Maker disruptor(Supplier<WaitStrategy> waiting, int batch) {
        return (works, ring) -> {
            Disruptor<Event> disruptor =
                    new Disruptor<>(Event::new, ring, DaemonThreadFactory.INSTANCE, ProducerType.SINGLE, waiting.get());
            List<EventHandler<Event>> handlers = new ArrayList<>();
            for (Work work : works) {
                EventHandler<Event> handler = (event, sequence, endOfBatch) -> work.see(event);
                handlers.add(handler);
                if (work.after().isEmpty()) {
                    disruptor.handleEventsWith(handler);
                } else {
                    EventHandler<?>[] after =
                            work.after().stream().map(handlers::get).toArray(EventHandler<?>[]::new);
                    disruptor.after(after).handleEventsWith(handler);
                }
            }
            RingBuffer<Event> slots = disruptor.start();
            Publish one = (source, events) -> {
                for (int i = 0; i < events; i++) {
                    long sequence = slots.next();
                    source.accept(slots.get(sequence));
                    slots.publish(sequence);
                }
            };
            Publish many = (source, events) -> {
                for (int left = events; left > 0; left -= batch) {
                    int count = Math.min(batch, left);
                    long last = slots.next(count);
                    for (long sequence = last - count + 1; sequence <= last; sequence++) {
                        source.accept(slots.get(sequence));
                    }
                    slots.publish(last - count + 1, last);
                }
            };
            return new Line(batch == 1 ? one : many, disruptor::halt);
        };
    }

    /**
     * Each stage is a thread with a bounded queue for each stage that it follows, or with one queue if it follows the
     * publisher.
     */
    static Maker queues(IntFunction<BlockingQueue<Event>> queue) {
        return (works, ring) -> {
            List<BlockingQueue<Event>> firsts = new ArrayList<>();
            List<Joints> joints = works.stream()
                    .map(work -> new Joints(work, new ArrayList<>(), new ArrayList<>()))
                    .toList();
            for (Joints stage : joints) {
                List<Integer> after = stage.work.after();
                IntStream.range(0, Math.max(1, after.size())).forEach(none -> stage.in.add(queue.apply(ring)));
                if (after.isEmpty()) {
                    firsts.add(stage.in.get(0));
                }
                for (int i = 0; i < after.size(); i++) {
                    joints.get(after.get(i)).out.add(stage.in.get(i));
                }
            }
            List<Thread> threads = joints.stream()
                    .map(stage -> Waits.start("stage", () -> Waits.ignoring(stage::run)))
                    .toList();
            Publish publish = (source, events) -> {
                for (int i = 0; i < events; i++) {
                    Event event = new Event();
                    source.accept(event);
                    for (int to = 0; to < firsts.size(); to++) {
                        firsts.get(to).put(event);
                    }
                }
            };
            return new Line(publish, () -> {
                threads.forEach(Thread::interrupt);
                threads.forEach(thread -> Waits.ignoring(thread::join));
            });
        };
    }

    private record Joints(Work work, List<BlockingQueue<Event>> in, List<BlockingQueue<Event>> out) {
        /** Takes the same event from each input queue; all queues contain the events in the same order. */
        void run() throws InterruptedException {
            while (true) {
                Event event = in.get(0).take();
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

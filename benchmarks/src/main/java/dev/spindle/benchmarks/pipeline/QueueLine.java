// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pipeline;

import dev.spindle.benchmarks.forks.Interruptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;

/** What people write without a library: a thread for each stage, and a bounded queue between each two. */
final class QueueLine implements Line {
    private final List<BlockingQueue<Event>> firsts = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    QueueLine(Shape shape, List<Work> works, Supplier<BlockingQueue<Event>> queue) {
        List<List<BlockingQueue<Event>>> in = new ArrayList<>();
        List<List<BlockingQueue<Event>>> out = new ArrayList<>();
        works.forEach(none -> {
            in.add(new ArrayList<>());
            out.add(new ArrayList<>());
        });
        for (int stage = 0; stage < works.size(); stage++) {
            List<Integer> after = shape.places().get(stage).after();
            if (after.isEmpty()) {
                connect(firsts, in.get(stage), queue.get());
            }
            for (int before : after) {
                connect(out.get(before), in.get(stage), queue.get());
            }
        }
        for (int stage = 0; stage < works.size(); stage++) {
            Work work = works.get(stage);
            List<BlockingQueue<Event>> from = List.copyOf(in.get(stage));
            List<BlockingQueue<Event>> to = List.copyOf(out.get(stage));
            Thread thread = new Thread(() -> Interruptions.ignoring(() -> run(work, from, to)), "stage-" + stage);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    @Override
    public void publish(Source source, int events) throws InterruptedException {
        for (int i = 0; i < events; i++) {
            Event event = new Event();
            source.accept(event);
            for (int to = 0; to < firsts.size(); to++) {
                firsts.get(to).put(event);
            }
        }
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        threads.forEach(thread -> Interruptions.ignoring(thread::join));
    }

    private static void connect(
            List<BlockingQueue<Event>> out, List<BlockingQueue<Event>> in, BlockingQueue<Event> queue) {
        out.add(queue);
        in.add(queue);
    }

    /** All queues carry all events in one order, so that the heads of those that a stage reads are the same event. */
    private static void run(Work work, List<BlockingQueue<Event>> in, List<BlockingQueue<Event>> out)
            throws InterruptedException {
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

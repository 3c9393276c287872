// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.compare.Waits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * The lower bound of the time: each of one thread per processor runs the events of its keys in order, without a queue.
 *
 * <p>Keys are assigned to the threads in descending order of their number of events, which balances the load. Each
 * thread's events are in an array before the pass is timed.
 */
final class LimitThreads implements KeyedPasses.Feed {
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);

    LimitThreads(Events events, int processors) {
        int[] threadOfKey = spread(events, processors);
        for (int thread = 0; thread < processors; thread++) {
            int own = thread;
            Runnable[] tasks = IntStream.range(0, events.size())
                    .filter(event -> threadOfKey[events.key(event)] == own)
                    .mapToObj(events::task)
                    .toArray(Runnable[]::new);
            threads.add(new Thread(() -> runAll(tasks), "limit-" + thread));
        }
    }

    @Override
    public void process(Events events) {
        threads.forEach(Thread::start);
    }

    @Override
    public void close() {
        released.countDown();
        threads.forEach(thread -> Waits.ignoring(thread::join));
    }

    private void runAll(Runnable[] tasks) {
        for (Runnable task : tasks) {
            task.run();
        }
        // The kernel discards the counts of a thread that ends, so each thread waits until its context switches have
        // been read.
        Waits.ignoring(released::await);
    }

    private static int[] spread(Events events, int processors) {
        int[] load = new int[events.keys()];
        for (int event = 0; event < events.size(); event++) {
            load[events.key(event)]++;
        }
        PriorityQueue<long[]> threads = new PriorityQueue<>(Comparator.comparingLong(thread -> thread[1]));
        for (int thread = 0; thread < processors; thread++) {
            threads.add(new long[] {thread, 0});
        }
        int[] threadOfKey = new int[load.length];
        IntStream.range(0, load.length)
                .boxed()
                .sorted(Comparator.comparingInt((Integer key) -> -load[key]))
                .forEach(key -> {
                    long[] lightest = threads.remove();
                    threadOfKey[key] = (int) lightest[0];
                    lightest[1] += load[key];
                    threads.add(lightest);
                });
        return threadOfKey;
    }
}

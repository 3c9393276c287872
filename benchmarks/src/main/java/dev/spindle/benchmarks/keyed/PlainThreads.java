// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.benchmarks.forks.Interruptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * The physical limit: the same tasks in the same order per key, on one plain thread per processor, without any queue.
 *
 * <p>Keys are spread over the threads by their number of events, heaviest first, so that no thread waits for another
 * longer than it must; each thread finds its own events in an array when the clock starts.
 */
final class PlainThreads implements KeyedPasses.Feed {
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);

    PlainThreads(Workload workload, int processors) {
        int[] threadOfKey = spread(workload, processors);
        for (int thread = 0; thread < processors; thread++) {
            int own = thread;
            Runnable[] events = IntStream.range(0, workload.size())
                    .filter(event -> threadOfKey[workload.key(event)] == own)
                    .mapToObj(workload::task)
                    .toArray(Runnable[]::new);
            threads.add(new Thread(() -> runAll(events), "limit-" + thread));
        }
    }

    @Override
    public void process(Workload workload) {
        threads.forEach(Thread::start);
    }

    @Override
    public void close() {
        released.countDown();
        for (Thread thread : threads) {
            Interruptions.ignoring(thread::join);
        }
    }

    private void runAll(Runnable[] events) {
        for (Runnable event : events) {
            event.run();
        }
        // The kernel forgets a thread's context switches with the thread: stay until they are read.
        Interruptions.ignoring(released::await);
    }

    private static int[] spread(Workload workload, int processors) {
        int[] load = new int[workload.keys()];
        for (int event = 0; event < workload.size(); event++) {
            load[workload.key(event)]++;
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

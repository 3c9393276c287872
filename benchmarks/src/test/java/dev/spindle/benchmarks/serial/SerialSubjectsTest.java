// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.peers.SerialExecutors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether a broken executor is found out. */
@Tag("deep")
@Tag("once")
@Timeout(60)
class SerialSubjectsTest {
    private static final Subject.Scale SMALL = new Subject.Scale(0.001);

    @Test
    void flood_tasksSwapped_isFoundOut() throws InterruptedException {
        List<Runnable> held = new ArrayList<>();
        Executor swapping = task -> {
            held.add(task);
            if (held.size() == 2) {
                held.get(1).run();
                held.get(0).run();
                held.clear();
            }
        };
        Recorder recorder = new Recorder();
        try (Flood flood = new Flood(of(swapping), 1, SMALL)) {
            flood.pass(recorder);
        }

        assertThat(violations(recorder)).isPositive();
    }

    @Test
    void flood_taskRunTwiceAndAnotherLost_isFoundOut() throws InterruptedException {
        int[] submitted = new int[1];
        List<Runnable> before = new ArrayList<>();
        Executor repeating = task -> {
            boolean repeats = ++submitted[0] == 500;
            (repeats ? before.get(0) : task).run();
            before.clear();
            before.add(task);
        };
        Recorder recorder = new Recorder();
        try (Flood flood = new Flood(of(repeating), 1, SMALL)) {
            flood.pass(recorder);
        }

        assertThat(violations(recorder)).isPositive();
    }

    @Test
    void ring_tokensThatOvertake_areFoundOut() throws InterruptedException {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        List<Runnable> held = new ArrayList<>(); // the thread's own
        Executor overtaking = token -> thread.execute(() -> {
            held.add(token);
            if (held.size() == 2) {
                held.get(1).run();
                held.get(0).run();
                held.clear();
            }
        });
        List<Executor> executors = new ArrayList<>(Collections.nCopies(TokenRing.EXECUTORS, thread));
        executors.set(5, overtaking);
        Recorder recorder = new Recorder();
        // Ten thousand hops of two tokens: each comes by as often as the other, and none is held for ever.
        try (TokenRing ring = new TokenRing(new SerialExecutors(executors, thread::shutdown), 2)) {
            ring.pass(recorder);
        }

        assertThat(violations(recorder)).isPositive();
    }

    private static SerialExecutors of(Executor executor) {
        return new SerialExecutors(List.of(executor), () -> {});
    }

    private static double violations(Recorder recorder) {
        Map<String, Double> values = recorder.values();
        return values.getOrDefault(Figure.VIOLATIONS.field(), Double.NaN);
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Small passes of the cells in this process, and whether a broken executor is found out. */
@Timeout(60)
class SerialSubjectsTest {
    private static final Subject.Scale SMALL = new Subject.Scale(0.001);

    /** All cells with Spindle, and all contenders in some cell. Agrona needs flags: see SerialCommandTest. */
    static Stream<Arguments> subjects() {
        return SerialComparison.comparison().cells().stream()
                .flatMap(cell -> cell.contenders().stream()
                        .filter(contender -> !contender.id().startsWith("agrona"))
                        .filter(contender -> contender.family() != Contender.Family.PEER
                                || List.of("p32", "ping-pong").contains(cell.name()))
                        .map(contender -> Arguments.of(cell, contender)));
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void pass_findsItsFiguresAndNoViolation(Cell cell, Contender contender) throws InterruptedException {
        Recorder recorder = new Recorder();
        try (Subject subject = cell.open(contender, SMALL)) {
            subject.pass(recorder);
            subject.pass(recorder);
        }

        for (Figure figure : cell.figures()) {
            assertThat(recorder.values().get(figure.field())).isPositive().isFinite();
        }
        assertThat(violations(recorder)).isZero();
    }

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
        try (TokenRing ring = new TokenRing(new Serial(executors, thread::shutdown), 2)) {
            ring.pass(recorder);
        }

        assertThat(violations(recorder)).isPositive();
    }

    private static Serial of(Executor executor) {
        return new Serial(List.of(executor), () -> {});
    }

    private static double violations(Recorder recorder) {
        Map<String, Double> values = recorder.values();
        return values.getOrDefault(Figure.VIOLATIONS.field(), Double.NaN);
    }
}

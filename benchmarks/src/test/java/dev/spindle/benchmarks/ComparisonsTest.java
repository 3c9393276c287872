// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.executors.Contenders;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every comparison runs once, tiny, so that none rots: its cells in this process, and one of them in forks. */
@Tag("deep")
@Tag("once")
@Timeout(120)
class ComparisonsTest {
    private static final Subject.Scale TINY = new Subject.Scale(0.001);

    /**
     * All cells with Spindle, the limit and native programs, and all contenders in the first cell of each group. The
     * programs in Rust take a test too long to build, and libraries: they count where they are built.
     */
    static Stream<Arguments> subjects() {
        Contenders.GO.requirement().prepare(new PrintWriter(new StringWriter()));
        List<Arguments> subjects = new ArrayList<>();
        for (Comparison comparison : Main.comparisons()) {
            List<String> groups = new ArrayList<>();
            for (Cell cell : comparison.cells()) {
                boolean first = !groups.contains(cell.group()) && groups.add(cell.group());
                cell.contenders().stream()
                        .filter(one -> first || one.family() != Contender.Family.PEER || isNative(one))
                        .filter(one -> one.absence().isEmpty() && !one.id().startsWith("agrona")) // it needs flags
                        .forEach(one -> subjects.add(Arguments.of(comparison.name(), cell, one)));
            }
        }
        return subjects.stream();
    }

    private static boolean isNative(Contender contender) {
        return List.of(Contenders.GO.requirement(), Contenders.CROSSBEAM.requirement())
                .contains(contender.requirement());
    }

    @ParameterizedTest(name = "{0}: {2} in {1}")
    @MethodSource("subjects")
    void pass_tiny_findsItsFiguresAndNoViolation(String comparison, Cell cell, Contender contender)
            throws InterruptedException {
        Recorder recorder = new Recorder();
        Subject subject = cell.open(contender, TINY);
        subject.pass(recorder);
        subject.close();

        Map<String, Double> values = recorder.values();
        assertThat(values).containsEntry(Figure.VIOLATIONS.field(), 0.0);
        assertThat(subject.violations()).isZero();
        for (Figure figure : cell.figures()) {
            Double value = values.get(figure.field());
            if (value != null || contender.family() == Contender.Family.OURS) {
                assertThat(value).as(figure.title()).isNotNull().isFinite().isNotNegative();
            }
        }
    }

    @Test
    void names_ofCellsAndContenders_areDistinct() {
        for (Comparison comparison : Main.comparisons()) {
            assertThat(comparison.cells().stream().map(Cell::name)).doesNotHaveDuplicates();
            assertThat(comparison.contenders().stream().map(Contender::id)).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gatling | k16-w0,one-task,idle-keys,keys-in-turn | limit,spindle | 5",
                "pool | chains,start | limit,spindle,tpe | 5",
                "pipeline | chain-3 | spindle,disruptor-yielding | 2",
                "models | tell-32,ring-64,select-4 | spindle-actors,pekko,agrona,channel-tasks | 6",
                "coalesce | k10-p1,k10-p8 | spindle,ring | 3", // the ring takes one producer alone
                "observed | plain,key | spindle-bare,spindle,spindle-scraped | 6",
                "elastic | socket,sleep-1ms,changing | keys,plain,fixed-2 | 8"
            })
    void quick_runsForks(String name, String cells, String contenders, int forks) {
        assertThat(execute(name, "--quick", "--cells", cells, "--contenders", contenders))
                .contains("[" + forks + "/" + forks + "] round 1")
                .doesNotContain("VIOLATIONS");
    }

    private static String execute(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(Stream.concat(Stream.of("bench"), Stream.of(arguments)).toArray(String[]::new));
        assertThat(err.toString()).isEmpty();
        assertThat(status).as("exit status").isZero();
        return out.toString();
    }
}

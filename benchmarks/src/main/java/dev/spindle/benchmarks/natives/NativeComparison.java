// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.natives;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.CompareFork;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Judge;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.keyed.KeyedComparison;
import dev.spindle.benchmarks.models.ModelsComparison;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.peers.Pools;
import dev.spindle.benchmarks.pool.stage.Stage;
import dev.spindle.benchmarks.pool.stage.Workload;
import dev.spindle.benchmarks.pool.work.Flood;
import dev.spindle.benchmarks.pool.work.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;

/** Spindle beside programs in Go and Rust: the cells, who takes part in them, and the goals LANG1 to LANG6. */
public final class NativeComparison {
    static final Contender GO = go("go", "Go, goroutines and channels");
    static final Contender GO_SERIAL = go("go-serial", "Go, a mutex and a queue each");
    static final Contender GO_POOL = go("go-pool", "Go, workers on a channel");
    static final Contender RAYON = rust("rayon", "Rust, rayon, spawn");
    static final Contender RAYON_SERIAL = rust("rayon-serial", "Rust, a mutex and a queue each on rayon");
    static final Contender TOKIO = rust("tokio", "Rust, tokio, tasks and channels");
    static final Contender TOKIO_ONE = rust("tokio-one", "Rust, tokio on one thread");
    static final Contender CROSSBEAM = rust("crossbeam", "Rust, crossbeam channel, threads");
    static final Contender KANAL = rust("kanal", "Rust, kanal channel");
    private static final List<Contender> PROGRAMS =
            List.of(GO, GO_SERIAL, GO_POOL, RAYON, RAYON_SERIAL, TOKIO, TOKIO_ONE, CROSSBEAM, KANAL);

    private static final Contender FJP_NEWEST = new Contender(
            "fjp-newest", "ForkJoinPool, newest first, as it is by default", Contender.Family.REFERENCE, 0);

    private static final String METHOD =
            "An op is an event, a task, a round trip, a hop, a message, a value or a slice. The contenders in Go and"
                    + " Rust are processes, which count their own time, processor time and context switches; their"
                    + " threads are all but the first.";

    private static final Effort EFFORT = Effort.millis(1_200, 1_800, 200);
    private static final int MILLION = 1_000_000;
    private static final int POOL = 2;

    private static final Comparison MODELS = ModelsComparison.comparison();

    private NativeComparison() {}

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    public static Comparison comparison() {
        List<Cell> cells = new ArrayList<>();
        cells.add(keys(16, 800_000));
        cells.add(keys(1_000, 800_000));
        cells.add(keys(100_000, MILLION));
        cells.add(tasks(
                "outside",
                "a million empty tasks from one thread",
                new Flood(POOL, 1, 0, MILLION, MILLION, false),
                GO_POOL,
                GO,
                CROSSBEAM,
                RAYON,
                TOKIO));
        cells.add(tasks(
                "inside",
                "a tree of a million empty tasks, each hands over two",
                new Tree(POOL, MILLION),
                GO,
                RAYON,
                TOKIO));
        cells.add(members("ping-pong", GO, TOKIO, TOKIO_ONE, KANAL));
        cells.add(members("ring-64", GO, TOKIO, KANAL, RAYON_SERIAL));
        cells.add(members("tell-1", GO, TOKIO, CROSSBEAM, KANAL));
        cells.add(members("fan-in-32", GO, TOKIO, CROSSBEAM, KANAL));
        cells.add(channel("rendezvous", MODELS.cell("rendezvous"), GO, CROSSBEAM, KANAL));
        for (int capacity : new int[] {1, 64, 1_024}) {
            Cell passing = MODELS.cell("buffered-" + capacity);
            cells.add(channel("channel-" + capacity, passing, GO, TOKIO, CROSSBEAM, KANAL));
        }
        for (int capacity : new int[] {1, 64, 1_024}) {
            Cell crossing = ModelsComparison.crossing(capacity);
            cells.add(channel("channel-" + capacity + "-4to4", crossing, GO, CROSSBEAM, KANAL));
        }
        cells.add(channel("select-4", ModelsComparison.select(4), GO, TOKIO, CROSSBEAM));
        cells.add(pi());
        return new Comparison(
                "native",
                NativeComparison.class,
                "Beside Go and Rust",
                METHOD,
                MODELS.jvmArguments(),
                cells,
                NativeComparison::judge);
    }

    private static Contender go(String id, String title) {
        return Contender.peer(id, title).needing(ToolChain.GO);
    }

    private static Contender rust(String id, String title) {
        return Contender.peer(id, title).needing(ToolChain.RUST);
    }

    private static Cell keys(int keys, int events) {
        Map<Contender, Subject.Setup> empty = KeyedComparison.empty(keys, events);
        Map<Contender, Subject.Setup> jvm = new LinkedHashMap<>();
        for (Contender one : List.of(
                Contenders.LIMIT,
                Contenders.SPINDLE,
                Contenders.SPINDLE_HANDLE,
                Contenders.GUAVA,
                Contenders.NON_STICKY)) {
            jvm.put(one, Objects.requireNonNull(empty.get(one)));
        }
        String title = String.format(Locale.ROOT, "%,d empty events of %,d keys", events, keys);
        return cell("keys-" + keys, "keys", title, jvm, GO, GO_SERIAL, RAYON_SERIAL, TOKIO);
    }

    private static Cell tasks(String name, String title, Workload workload, Contender... programs) {
        Map<Contender, Pools.Maker> makers = new LinkedHashMap<>();
        for (Contender one : List.of(Contenders.SPINDLE, Contenders.FJP, Contenders.TPE)) {
            makers.put(one, Objects.requireNonNull(Pools.all().get(one)));
        }
        makers.put(FJP_NEWEST, (threads, outstanding) -> new ForkJoinPool(threads));
        Map<Contender, Subject.Setup> jvm = new LinkedHashMap<>();
        makers.forEach((one, maker) -> jvm.put(one, scale -> new Stage(one, maker, workload, scale)));
        return cell("tasks-" + name, "tasks", title, jvm, programs);
    }

    private static Cell members(String name, Contender... programs) {
        return borrowed(
                name,
                name,
                MODELS.cell(name.replace("fan-in", "tell")),
                List.of(Contenders.SPINDLE_STRANDS, Contenders.SPINDLE_ACTORS, Contenders.NON_STICKY, Contenders.PEKKO),
                programs);
    }

    private static Cell channel(String name, Cell model, Contender... programs) {
        return borrowed(
                name,
                name.endsWith("4to4") ? "crossing" : name.startsWith("channel") ? "channel" : name,
                model,
                List.of(Contenders.CHANNEL_TASKS, Contenders.CHANNEL_VIRTUAL, Contenders.JOX, Contenders.QUEUE_VIRTUAL),
                programs);
    }

    private static Cell pi() {
        return borrowed(
                "pi",
                "pi",
                MODELS.cell("pi"),
                List.of(
                        Contenders.LIMIT,
                        Contenders.SPINDLE_PIPELINE,
                        Contenders.SPINDLE_TASKS,
                        Contenders.YIELDING,
                        Contenders.FJP,
                        Contenders.PEKKO),
                GO_POOL,
                CROSSBEAM,
                KANAL,
                TOKIO);
    }

    /** A cell of another comparison, with some of those who take part in it. */
    private static Cell borrowed(String name, String group, Cell from, List<Contender> who, Contender... programs) {
        Map<Contender, Subject.Setup> jvm = new LinkedHashMap<>();
        for (Contender one : who) {
            if (from.contenders().contains(one)) {
                jvm.put(one, scale -> from.open(one, scale));
            }
        }
        return cell(name, group, from.title(), jvm, programs);
    }

    private static Cell cell(
            String name, String group, String title, Map<Contender, Subject.Setup> jvm, Contender... programs) {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>(jvm);
        for (Contender program : programs) {
            ToolChain chain = (ToolChain) program.requirement();
            entrants.put(program, NativeProgram.of(chain, program, name));
        }
        return new Cell(name, group, title, List.of(Figure.NANOS), EFFORT, 0, entrants);
    }

    private static void judge(Judge judge) {
        best(judge, "LANG1", "keys-16", Contenders.SPINDLE, 2);
        best(judge, "LANG1", "keys-1000", Contenders.SPINDLE, 2);
        best(judge, "LANG1", "keys-100000", Contenders.SPINDLE, 1.5);
        best(judge, "LANG2", "tasks-outside", Contenders.SPINDLE, 2.5);
        judge.atLeast("LANG2", "tasks-inside", Contenders.SPINDLE, Contenders.FJP, Figure.NANOS, 1);
        judge.atLeast("LANG2", "tasks-inside", Contenders.SPINDLE, Contenders.FJP, Figure.CPU, 1);
        best(judge, "LANG3", "ping-pong", Contenders.SPINDLE_STRANDS, 1.6);
        best(judge, "LANG3", "ring-64", Contenders.SPINDLE_STRANDS, 1);
        judge.atLeast("LANG4", "tell-1", Contenders.SPINDLE_STRANDS, CROSSBEAM, Figure.NANOS, 1);
        judge.atMostOf("LANG4", "fan-in-32", Contenders.SPINDLE_STRANDS, CROSSBEAM, Figure.NANOS, 1.3);
        for (String cell : List.of(
                "rendezvous",
                "channel-1",
                "channel-64",
                "channel-1024",
                "channel-1-4to4",
                "channel-64-4to4",
                "channel-1024-4to4",
                "select-4")) {
            judge.atLeast("LANG5", cell, Contenders.CHANNEL_TASKS, GO, Figure.NANOS, 1);
        }
        best(judge, "LANG6", "pi", Contenders.SPINDLE_PIPELINE, 2.7);
    }

    private static void best(Judge judge, String goal, String cell, Contender ours, double factor) {
        judge.atLeastBest(goal, cell, ours, PROGRAMS, "the best in Go or Rust", Figure.NANOS, factor);
    }
}

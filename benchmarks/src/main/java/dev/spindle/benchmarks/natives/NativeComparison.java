// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.natives;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.keyed.KeyedComparison;
import dev.spindle.benchmarks.messages.ModelsComparison;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.peers.Pools;
import dev.spindle.benchmarks.pool.Floods;
import dev.spindle.benchmarks.pool.Inside;
import dev.spindle.benchmarks.pool.Load;
import dev.spindle.benchmarks.pool.PoolComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;

/**
 * The cells that compare Spindle with programs in Go and Rust. The goals, LANG1 to LANG6, are in
 * {@code goals/native.txt}.
 */
public final class NativeComparison {
    private static final Contender GO = go("go", "Go, goroutines and channels");
    private static final Contender GO_SERIAL = go("go-serial", "Go, a mutex and a queue each");
    private static final Contender GO_POOL = go("go-pool", "Go, workers on a channel");
    private static final Contender RAYON_SERIAL = rust("rayon-serial", "Rust, a mutex and a queue each on rayon");
    private static final Contender TOKIO_ONE = rust("tokio-one", "Rust, tokio on one thread");
    private static final Contender CROSSBEAM = rust("crossbeam", "Rust, crossbeam channel, threads");
    private static final Contender KANAL = rust("kanal", "Rust, kanal channel");
    private static final Contender FJP_NEWEST =
            Contender.reference("fjp-newest", "ForkJoinPool, newest first, as it is by default");

    private static final List<Contender> MEMBERS =
            List.of(Contenders.SPINDLE_STRANDS, Contenders.SPINDLE_ACTORS, Contenders.NON_STICKY, Contenders.PEKKO);
    private static final List<Contender> CHANNELS =
            List.of(Contenders.CHANNEL_TASKS, Contenders.CHANNEL_VIRTUAL, Contenders.JOX, Contenders.QUEUE_VIRTUAL);

    private static final String METHOD =
            "An op is an event, a task, a round trip, a hop, a message, a value or a slice. The contenders in Go and"
                    + " Rust are processes, which count their own time, processor time and context switches; their"
                    + " threads are all but the first.";
    private static final Effort EFFORT = Effort.millis(1_200, 1_800, 200);
    private static final int MILLION = 1_000_000;
    private static final int POOL = 2;

    private NativeComparison() {}

    public static Comparison comparison() {
        Comparison models = ModelsComparison.comparison();
        List<Cell> cells = new ArrayList<>();
        for (int keys : new int[] {16, 1_000, 100_000}) {
            int events = keys > 1_000 ? MILLION : 800_000;
            String title = String.format(Locale.ROOT, "%,d empty events of %,d keys", events, keys);
            List<Contender> jvm = List.of(
                    Contenders.LIMIT,
                    Contenders.SPINDLE,
                    Contenders.SPINDLE_HANDLE,
                    Contenders.GUAVA,
                    Contenders.NON_STICKY);
            Cell empty = KeyedComparison.empty(keys, events);
            cells.add(cell("keys-" + keys, "keys", title, empty, jvm, GO, GO_SERIAL, RAYON_SERIAL));
        }
        Load outside = Floods.flood(POOL, 1, 0, MILLION, MILLION);
        cells.add(tasks("outside", "a million empty tasks from one thread", outside, GO_POOL, CROSSBEAM));
        Load inside = Inside.tree(POOL, MILLION);
        cells.add(tasks("inside", "a tree of a million empty tasks, each hands over two", inside));
        cells.add(members("ping-pong", models.cell("ping-pong"), GO, TOKIO_ONE));
        cells.add(members("ring-64", models.cell("ring-64"), GO, RAYON_SERIAL));
        cells.add(members("tell-1", models.cell("tell-1"), GO, CROSSBEAM, KANAL));
        cells.add(members("fan-in-32", models.cell("tell-32"), GO, CROSSBEAM, KANAL));
        cells.add(channel("rendezvous", models.cell("rendezvous"), GO, KANAL));
        for (int capacity : new int[] {1, 64, 1_024}) {
            String name = "channel-" + capacity;
            cells.add(channel(name, ModelsComparison.passing(1, capacity), GO, KANAL));
            cells.add(channel(name + "-4to4", ModelsComparison.passing(4, capacity), GO, KANAL));
        }
        cells.add(channel("select-4", ModelsComparison.select(4), GO));
        Cell pi = models.cell("pi");
        List<Contender> ofPi = List.of(
                Contenders.LIMIT,
                Contenders.SPINDLE_PIPELINE,
                Contenders.SPINDLE_TASKS,
                Contenders.YIELDING,
                Contenders.FJP,
                Contenders.PEKKO);
        cells.add(cell("pi", "pi", pi.title(), pi, ofPi, KANAL));
        return new Comparison(
                "native", NativeComparison.class, "Compared with Go and Rust", METHOD, models.jvmArguments(), cells);
    }

    private static Contender go(String id, String title) {
        return Contender.peer(id, title).needing(ToolChain.GO);
    }

    private static Contender rust(String id, String title) {
        return Contender.peer(id, title).needing(ToolChain.RUST);
    }

    private static Cell tasks(String name, String title, Load load, Contender... programs) {
        Map<Contender, Pools.Maker> makers = Pools.all();
        makers.put(FJP_NEWEST, (threads, outstanding) -> new ForkJoinPool(threads));
        Cell from = PoolComparison.cell(name, title, load, makers);
        List<Contender> jvm = List.of(Contenders.SPINDLE, Contenders.FJP, Contenders.TPE, FJP_NEWEST);
        return cell("tasks-" + name, "tasks", title, from, jvm, programs);
    }

    private static Cell members(String name, Cell from, Contender... programs) {
        return cell(name, name, from.title(), from, MEMBERS, programs);
    }

    private static Cell channel(String name, Cell from, Contender... programs) {
        return cell(name, "channel", from.title(), from, CHANNELS, programs);
    }

    /** Returns a copy of a cell of another comparison, with some of its contenders and with native programs. */
    private static Cell cell(
            String name, String group, String title, Cell from, List<Contender> jvm, Contender... programs) {
        Cell cell = new Cell(name, title, EFFORT, Figure.NANOS).group(group);
        for (Contender one : jvm) {
            if (from.contenders().contains(one)) {
                cell.enter(one, scale -> from.open(one, scale));
            }
        }
        for (Contender program : programs) {
            cell.enter(program, NativeProgram.of((ToolChain) program.requirement(), program, name));
        }
        return cell;
    }
}

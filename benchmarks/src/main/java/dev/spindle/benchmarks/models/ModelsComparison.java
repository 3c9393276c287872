// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.models;

import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.CompareFork;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Judge;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.peers.Pools;
import dev.spindle.benchmarks.peers.SerialExecutors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The models side by side: the cells, who takes part in them, and the goals MSG3, MSG4, MSG8 to MSG10, MSG12, LANG4 and
 * LANG5.
 */
public final class ModelsComparison {
    static final Figure PI_MILLIS = Figure.less("ms", "ms");
    static final Figure MESSAGE = Figure.less("ns_per_message", "ns/message");
    static final Figure ROUND_TRIP = Figure.less("ns_per_round_trip", "ns/round trip");
    static final Figure HOP = Figure.less("ns_per_hop", "ns/hop");
    static final Figure VALUE = Figure.less("ns_per_value", "ns/value");
    static final Figure HELD = Figure.less("held_mib", "heap held by messages, MiB");
    static final Figure BYTES = Figure.less("bytes_per_actor", "bytes/actor");
    static final Figure WAKE_UPS = Figure.less("wake_ups_per_s", "wake-ups/s while idle");

    static final int CACHE_LINE = 8; // longs

    private static final String METHOD = "An op is a slice of Pi, a message, a round trip or a hop."
            + " The code that computes a slice is compiled by itself, for all contenders alike: into the loop of a"
            + " pool it may be compiled well or badly, which changes from fork to fork and costs up to three times the"
            + " slice.";

    private static final List<String> JVM_ARGUMENTS = List.of(
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=dontinline," + Pi.Series.class.getName() + "::slice",
            "--add-opens=java.base/java.lang=ALL-UNNAMED"); // Kontraktor defines classes by reflection

    private static final Effort PI = Effort.millis(1_300, 1_700, 200);
    private static final Effort FLOW = Effort.millis(1_200, 1_800, 150);
    private static final Effort HAND_OVER = Effort.millis(1_000, 1_500, 200);
    private static final Effort HEAP =
            new Effort(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(500), 5);
    private static final Effort IDLE = Effort.once(Duration.ZERO, Duration.ofSeconds(8));

    private static final int POOL = 2;
    private static final int BALLS = 50; // under way in each of many pairs
    private static final double NO_WORSE = 0.9; // as good, as far as it can be told

    private static final Map<Contender, Crowd.Maker> ACTORS = new LinkedHashMap<>();
    private static final Map<Contender, Crowd.Maker> CROWDS = new LinkedHashMap<>();
    private static final Map<Contender, Crowd.Maker> RECEIVERS = new LinkedHashMap<>();

    static {
        ACTORS.put(Contenders.SPINDLE_ACTORS, ActorCrowd::new);
        ACTORS.put(Contenders.PEKKO, PekkoCrowd::new);
        CROWDS.put(Contenders.SPINDLE_ACTORS, ActorCrowd::new);
        CROWDS.put(Contenders.SPINDLE_STRANDS, TaskCrowd.of(SerialExecutors::strands));
        CROWDS.put(Contenders.PEKKO, PekkoCrowd::new);
        CROWDS.put(Contenders.NON_STICKY, TaskCrowd.of(SerialExecutors::nonSticky));
        CROWDS.put(Contenders.THREADS, ThreadCrowd::platform);
        CROWDS.put(Contenders.VIRTUAL_THREADS, ThreadCrowd::virtual);
        RECEIVERS.putAll(CROWDS);
        RECEIVERS.put(Contenders.SPINDLE_PIPELINE, PipelineCrowd::new);
        RECEIVERS.put(Contenders.YIELDING, DisruptorCrowd::new);
    }

    private ModelsComparison() {}

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    public static Comparison comparison() {
        List<Cell> cells = new ArrayList<>();
        cells.add(pi("pi", "Pi of a million slices of 100 terms, two workers", Pi.Series.SMALL));
        cells.add(pi("pi-large", "Pi of 100,000 slices of 1,000 terms, two workers", Pi.Series.LARGE));
        cells.add(cell(
                "ping-pong",
                "one ball between two members",
                ROUND_TRIP,
                HAND_OVER,
                CROWDS,
                (maker, scale) -> new PingPong(maker, 1, 1, POOL)));
        for (int senders : new int[] {1, 8, 32}) {
            String title =
                    "a million messages to one member from " + (senders == 1 ? "a thread" : senders + " threads");
            cells.add(cell(
                    "tell-" + senders,
                    title,
                    MESSAGE,
                    FLOW,
                    RECEIVERS,
                    (maker, scale) -> new Tell(maker, senders, POOL, scale)));
        }
        cells.add(cell(
                "tell-inside",
                "a million messages from one member to another",
                MESSAGE,
                FLOW,
                CROWDS,
                (maker, scale) -> new TellInside(maker, POOL, scale)));
        cells.add(cell(
                "pairs-256",
                "256 pairs of members, 50 balls between each",
                ROUND_TRIP,
                FLOW,
                CROWDS,
                (maker, scale) -> new PingPong(maker, 256, BALLS, POOL)));
        for (int tokens : new int[] {1, 64}) {
            cells.add(cell(
                    "ring-" + tokens,
                    (tokens == 1 ? "1 token" : tokens + " tokens") + " round 1,000 members",
                    HOP,
                    HAND_OVER,
                    CROWDS,
                    (maker, scale) -> new TokenRing(maker, tokens, POOL)));
        }
        for (int capacity : new int[] {0, 1, 16, 64, 100, 1_024}) {
            cells.add(passing(capacity));
        }
        cells.add(select(2));
        cells.add(select(8));
        cells.add(cell(
                "backlog",
                "a thread that has sent a million messages to one member",
                HELD,
                HEAP,
                ACTORS,
                (maker, scale) -> new Backlog(maker, POOL, scale)));
        cells.add(new Cell(
                "idle",
                "100,000 actors that have nothing to do",
                List.of(BYTES, WAKE_UPS),
                IDLE,
                entrants(ACTORS, (maker, scale) -> new IdleMembers(maker, POOL, scale))));
        return new Comparison(
                "models",
                ModelsComparison.class,
                "The models side by side",
                METHOD,
                () -> JVM_ARGUMENTS,
                cells,
                ModelsComparison::judge);
    }

    private static Cell pi(String name, String title, Pi.Series series) {
        Map<Contender, Pi.Calculator.Maker> makers = new LinkedHashMap<>();
        makers.put(Contenders.ONE_THREAD, of -> new PiInChunks(of, 1));
        makers.put(Contenders.LIMIT, of -> new PiInChunks(of, Pi.WORKERS));
        makers.put(Contenders.SPINDLE_TASKS, PiOfTasks::spindle);
        makers.put(Contenders.SPINDLE_ACTORS, PiOfActors::of);
        makers.put(Contenders.SPINDLE_PIPELINE, PiOfEvents::spindle);
        makers.put(Contenders.TPE, PiOfTasks.pool(() -> Executors.newFixedThreadPool(Pi.WORKERS)));
        makers.put(Contenders.FJP, PiOfTasks.pool(() -> Pools.asyncForkJoin(Pi.WORKERS)));
        makers.put(Contenders.PEKKO, PiOfTasks::pekko);
        makers.put(Contenders.KONTRAKTOR, PiOfKontraktor::of);
        makers.put(Contenders.YIELDING, PiOfEvents::disruptor);
        makers.put(
                Contenders.VIRTUAL,
                PiOfTasks.pool(() -> Objects.requireNonNull(Pools.all().get(Contenders.VIRTUAL))
                        .of(Pi.WORKERS, PiOfTasks.UNDER_WAY)));
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        makers.forEach((contender, maker) -> entrants.put(contender, scale -> new Pi(maker, series, scale)));
        return new Cell(name, "pi", title, List.of(PI_MILLIS), PI, 0, entrants);
    }

    private static Cell passing(int capacity) {
        Map<Contender, Supplier<Passing.Line>> lines = new LinkedHashMap<>();
        lines.put(Contenders.CHANNEL_TASKS, () -> Passing.tasks(capacity, POOL));
        lines.put(
                Contenders.CHANNEL_THREADS, () -> Passing.threads(Link.channel(capacity), ThreadCrowd::startPlatform));
        lines.put(
                Contenders.CHANNEL_VIRTUAL,
                () -> Passing.threads(Link.channel(capacity), ThreadCrowd.virtualThreads()));
        lines.put(Contenders.JOX, () -> Passing.threads(Jox.link(capacity), ThreadCrowd.virtualThreads()));
        lines.put(Contenders.QUEUE_THREADS, () -> Passing.threads(Link.queue(capacity), ThreadCrowd::startPlatform));
        lines.put(Contenders.QUEUE_VIRTUAL, () -> Passing.threads(Link.queue(capacity), ThreadCrowd.virtualThreads()));
        String title = "values from a sender to a receiver, "
                + (capacity == 0 ? "from hand to hand" : "room for " + String.format(Locale.ROOT, "%,d", capacity));
        return channelCell(passingCell(capacity), title, lines);
    }

    /** Values through one channel, from four to four. */
    public static Cell crossing(int capacity) {
        Map<Contender, Supplier<Crossing.Line>> lines = new LinkedHashMap<>();
        lines.put(Contenders.CHANNEL_TASKS, () -> Crossing.tasks(capacity, POOL));
        lines.put(
                Contenders.CHANNEL_VIRTUAL,
                () -> Crossing.threads(Link.channel(capacity), ThreadCrowd.virtualThreads()));
        lines.put(Contenders.JOX, () -> Crossing.threads(Jox.link(capacity), ThreadCrowd.virtualThreads()));
        lines.put(Contenders.QUEUE_VIRTUAL, () -> Crossing.threads(Link.queue(capacity), ThreadCrowd.virtualThreads()));
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        lines.forEach((contender, line) -> entrants.put(contender, scale -> new Crossing(line.get())));
        String title = String.format(Locale.ROOT, "values from 4 senders to 4 receivers, room for %,d", capacity);
        return new Cell("crossing-" + capacity, "crossing", title, List.of(VALUE), HAND_OVER, 0, entrants);
    }

    /** Values through one of some channels without room. */
    public static Cell select(int channels) {
        Map<Contender, Supplier<Passing.Line>> lines = new LinkedHashMap<>();
        lines.put(Contenders.CHANNEL_TASKS, () -> Passing.selectingTasks(channels, POOL));
        lines.put(Contenders.CHANNEL_THREADS, () -> Passing.threads(Link.select(channels), ThreadCrowd::startPlatform));
        lines.put(
                Contenders.CHANNEL_VIRTUAL, () -> Passing.threads(Link.select(channels), ThreadCrowd.virtualThreads()));
        lines.put(Contenders.JOX, () -> Passing.threads(Jox.select(channels), ThreadCrowd.virtualThreads()));
        String title = "values from a sender to a receiver that selects among " + channels + " channels without room";
        return channelCell("select-" + channels, title, lines);
    }

    private static Cell channelCell(String name, String title, Map<Contender, Supplier<Passing.Line>> lines) {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        lines.forEach((contender, line) -> entrants.put(contender, scale -> new Passing(line.get())));
        return new Cell(name, "channel", title, List.of(VALUE), HAND_OVER, 0, entrants);
    }

    private static String passingCell(int capacity) {
        return capacity == 0 ? "rendezvous" : "buffered-" + capacity;
    }

    private static Cell cell(
            String name,
            String title,
            Figure figure,
            Effort effort,
            Map<Contender, Crowd.Maker> makers,
            BiFunction<Crowd.Maker, Subject.Scale, Subject> subject) {
        String group = name.contains("-") ? name.substring(0, name.indexOf('-')) : name;
        return new Cell(name, group, title, List.of(figure), effort, 0, entrants(makers, subject));
    }

    private static Map<Contender, Subject.Setup> entrants(
            Map<Contender, Crowd.Maker> makers, BiFunction<Crowd.Maker, Subject.Scale, Subject> subject) {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        makers.forEach((contender, maker) -> entrants.put(contender, scale -> subject.apply(maker, scale)));
        return entrants;
    }

    private static void judge(Judge judge) {
        Contender ours = Contenders.SPINDLE_ACTORS;
        List<Contender> shared = List.of(Contenders.PEKKO, Contenders.NON_STICKY);
        judge.atLeast("MSG3", "ping-pong", ours, Contenders.PEKKO, ROUND_TRIP, 1);
        for (String ring : List.of("ring-1", "ring-64")) {
            judge.atLeastBest("MSG3", ring, ours, shared, "the best that shares threads", HOP, 1);
        }
        judge.atLeast("MSG4", "pi", Contenders.SPINDLE_TASKS, Contenders.TPE, PI_MILLIS, 1.5);
        judge.atLeast("MSG4", "pi", Contenders.SPINDLE_TASKS, Contenders.FJP, PI_MILLIS, 1.1);
        judge.atLeast("MSG4", "pi", Contenders.SPINDLE_TASKS, Contenders.PEKKO, PI_MILLIS, 1.2);
        judge.atLeast("MSG4", "pi", Contenders.SPINDLE_PIPELINE, Contenders.YIELDING, PI_MILLIS, 1.0);
        for (Contender peer : List.of(Contenders.TPE, Contenders.FJP, Contenders.PEKKO)) {
            judge.atLeast("MSG4", "pi-large", Contenders.SPINDLE_TASKS, peer, PI_MILLIS, NO_WORSE);
        }
        judge.atLeast("MSG4", "pi-large", Contenders.SPINDLE_PIPELINE, Contenders.YIELDING, PI_MILLIS, NO_WORSE);
        for (String cell : List.of("tell-1", "tell-8", "tell-32")) {
            judge.atLeast("MSG10", cell, ours, Contenders.PEKKO, MESSAGE, 1.5);
            judge.atLeast("MSG10", cell, ours, Contenders.NON_STICKY, MESSAGE, 0.8);
        }
        judge.atLeast("MSG10", "pairs-256", ours, Contenders.PEKKO, ROUND_TRIP, 1.5);
        judge.atLeast("MSG10", "pairs-256", ours, Contenders.NON_STICKY, ROUND_TRIP, 0.8);
        judge.atMostOf("MSG10", "backlog", ours, Contenders.PEKKO, HELD, 0.25);
        judge.atLeast("MSG8", "rendezvous", Contenders.CHANNEL_VIRTUAL, Contenders.QUEUE_VIRTUAL, VALUE, 0.7);
        judge.atLeast("MSG8", "rendezvous", Contenders.CHANNEL_VIRTUAL, Contenders.JOX, VALUE, 1.3);
        judge.atLeast("MSG8", "rendezvous", Contenders.CHANNEL_TASKS, Contenders.JOX, VALUE, 5);
        for (String cell : List.of("buffered-16", "buffered-100")) {
            judge.atLeast("MSG9", cell, Contenders.CHANNEL_VIRTUAL, Contenders.QUEUE_VIRTUAL, VALUE, 0.7);
            judge.atLeast("MSG9", cell, Contenders.CHANNEL_VIRTUAL, Contenders.JOX, VALUE, 1);
        }
        judge.atLeast("MSG9", "select-2", Contenders.CHANNEL_VIRTUAL, Contenders.JOX, VALUE, 1);
        judge.atMost("LANG5", "rendezvous", Contenders.CHANNEL_TASKS, VALUE, 215);
        judge.atMost("LANG5", "buffered-1", Contenders.CHANNEL_TASKS, VALUE, 177);
        judge.atMost("LANG5", "buffered-64", Contenders.CHANNEL_TASKS, VALUE, 68);
        judge.atMost("LANG5", "buffered-1024", Contenders.CHANNEL_TASKS, VALUE, 66);
        judge.atMostOf("MSG12", "idle", ours, Contenders.PEKKO, BYTES, 0.5);
        judge.atMost("MSG12", "idle", ours, WAKE_UPS, 0);
        judge.atMost("LANG4", "tell-inside", ours, MESSAGE, 30);
    }
}

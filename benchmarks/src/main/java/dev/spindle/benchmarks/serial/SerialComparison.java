// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.serial;

import dev.spindle.WaitStrategy;
import dev.spindle.benchmarks.compare.Cell;
import dev.spindle.benchmarks.compare.CompareFork;
import dev.spindle.benchmarks.compare.Comparison;
import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Effort;
import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Judge;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.peers.Actors;
import dev.spindle.benchmarks.peers.Contenders;
import dev.spindle.benchmarks.peers.SerialExecutors;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Tasks one after the other: the cells, who takes part in them, and the goals MSG1 to MSG3. */
public final class SerialComparison {
    static final Figure TASK = Figure.less("ns_per_task", "ns/task");
    static final Figure LATEST = Figure.worst("latest_start_ms", "latest start, ms");
    static final Figure START_P50 = Figure.less("start_p50_us", "start p50, us");
    static final Figure START_P99 = Figure.less("start_p99_us", "start p99, us");
    static final Figure ROUND_TRIP = Figure.less("ns_per_round_trip", "ns/round trip");
    static final Figure HOP = Figure.less("ns_per_hop", "ns/hop");

    private static final String METHOD =
            "An op is a task, a round trip or a hop; its CPU includes what it takes to make and submit it.";

    /** Agrona's queues reach for the JDK's own Unsafe; the others run with the same flags. */
    private static final List<String> JVM_ARGUMENTS = List.of("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

    private static final Effort FLOOD = Effort.millis(1_200, 1_800, 100);
    private static final Effort HAND_OVER = Effort.millis(1_000, 1_500, 200);
    /** Twenty passes are a million tasks. */
    private static final Effort WAKE_UPS =
            new Effort(Duration.ofMillis(500), Duration.ofSeconds(8), Duration.ofMillis(300), 20);

    private static final int PRODUCERS = 32;
    private static final int POOL = 2;

    private static final Map<Contender, SerialExecutors.Maker> OURS = new LinkedHashMap<>();
    private static final Map<Contender, SerialExecutors.Maker> THREADS = new LinkedHashMap<>();
    private static final Map<Contender, SerialExecutors.Maker> SHARED = new LinkedHashMap<>();

    static {
        OURS.put(Contenders.SPINDLE, SerialExecutors::strands);
        OURS.put(Contenders.SPINDLE_OWN, SerialExecutors.ownStrands(WaitStrategy.PARK));
        THREADS.put(Contenders.JDK, SerialExecutors::jdk);
        THREADS.put(Contenders.NETTY, SerialExecutors::netty);
        THREADS.put(Contenders.JRAFT, SerialExecutors::jraft);
        SHARED.put(Contenders.NON_STICKY, SerialExecutors::nonSticky);
        SHARED.put(Contenders.GUAVA, SerialExecutors::guava);
        SHARED.put(Contenders.VERTX, SerialExecutors::vertx);
        SHARED.put(Contenders.PEKKO, SerialExecutors.pekko(Actors.HIGH_THROUGHPUT));
    }

    private SerialComparison() {}

    public static void main(String[] arguments) {
        CompareFork.run(comparison(), arguments);
    }

    public static Comparison comparison() {
        return new Comparison(
                "serial",
                SerialComparison.class,
                "Tasks one after the other, beside the peers",
                METHOD,
                () -> JVM_ARGUMENTS,
                List.of(flood(), wakeUps(), pingPong(), ring(1), ring(64)),
                SerialComparison::judge);
    }

    private static Cell flood() {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        BiFunction<SerialExecutors, Subject.Scale, Subject> subject =
                (serial, scale) -> new Flood(serial, PRODUCERS, scale);
        entrants.put(Contenders.LIMIT, scale -> new InPlace(PRODUCERS, scale));
        enter(entrants, OURS, 1, subject);
        enter(entrants, Map.of(Contenders.SPINDLE_SPIN, SerialExecutors.ownStrands(WaitStrategy.SPIN)), 1, subject);
        enter(entrants, THREADS, 1, subject);
        enter(entrants, Map.of(Contenders.AGRONA, SerialExecutors::agrona), 1, subject);
        enter(entrants, SHARED, 1, subject);
        return new Cell("p32", "a million tasks from 32 producers", List.of(TASK), FLOOD, entrants);
    }

    private static Cell wakeUps() {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        enter(entrants, OURS, 1, WakeUps::new);
        enter(entrants, THREADS, 1, WakeUps::new);
        enter(entrants, Map.of(Contenders.NON_STICKY, SerialExecutors::nonSticky), 1, WakeUps::new);
        // The control: it has nobody to wake, so its latest start is the machine's.
        enter(entrants, Map.of(Contenders.AGRONA_ONE, SerialExecutors::agronaOneToOne), 1, WakeUps::new);
        List<Figure> figures = List.of(LATEST, START_P50, START_P99);
        return new Cell("wakeups", "one task at a time, at random gaps", figures, WAKE_UPS, entrants);
    }

    private static Cell pingPong() {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        BiFunction<SerialExecutors, Subject.Scale, Subject> subject = (serial, scale) -> new PingPong(serial);
        enter(entrants, OURS, 2, subject);
        enter(entrants, THREADS, 2, subject);
        enter(entrants, SHARED, 2, subject);
        return new Cell("ping-pong", "one token between two executors", List.of(ROUND_TRIP), HAND_OVER, entrants);
    }

    private static Cell ring(int tokens) {
        Map<Contender, Subject.Setup> entrants = new LinkedHashMap<>();
        BiFunction<SerialExecutors, Subject.Scale, Subject> subject = (serial, scale) -> new TokenRing(serial, tokens);
        enter(entrants, Map.of(Contenders.SPINDLE, SerialExecutors::strands), TokenRing.EXECUTORS, subject);
        enter(entrants, SHARED, TokenRing.EXECUTORS, subject);
        String title = (tokens == 1 ? "1 token" : tokens + " tokens") + " round 1,000 executors";
        return new Cell("ring-" + tokens, title, List.of(HOP), HAND_OVER, entrants);
    }

    private static void enter(
            Map<Contender, Subject.Setup> entrants,
            Map<Contender, SerialExecutors.Maker> makers,
            int executors,
            BiFunction<SerialExecutors, Subject.Scale, Subject> subject) {
        makers.forEach((contender, maker) ->
                entrants.put(contender, scale -> subject.apply(maker.of(executors, POOL), scale)));
    }

    private static void judge(Judge judge) {
        Contender ours = Contenders.SPINDLE;
        judge.atLeast("MSG1", "p32", ours, Contenders.JDK, TASK, 3.0);
        judge.atLeast("MSG1", "p32", ours, Contenders.NETTY, TASK, 2.5);
        judge.atLeast("MSG1", "p32", ours, Contenders.NON_STICKY, TASK, 1.1);
        judge.atLeast("MSG1", "p32", ours, Contenders.JRAFT, TASK, 0.9);
        judge.atLeast("MSG1", "p32", ours, Contenders.JRAFT, Figure.CPU, 0.9);
        judge.atLeast("MSG1", "p32", Contenders.SPINDLE_SPIN, Contenders.AGRONA, TASK, 0.8);
        judge.never("MSG2", "wakeups", ours, LATEST, 50);
        judge.never("MSG2", "wakeups", Contenders.SPINDLE_OWN, LATEST, 50);
        judge.atLeast("MSG3", "ping-pong", ours, Contenders.NETTY, ROUND_TRIP, 50);
        judge.atLeast("MSG3", "ping-pong", ours, Contenders.JDK, ROUND_TRIP, 50);
        judge.atLeast("MSG3", "ping-pong", ours, Contenders.GUAVA, ROUND_TRIP, 2);
        judge.atLeast("MSG3", "ping-pong", ours, Contenders.VERTX, ROUND_TRIP, 2);
        judge.atLeast("MSG3", "ping-pong", ours, Contenders.PEKKO, ROUND_TRIP, 1);
        List<Contender> shared = List.copyOf(SHARED.keySet());
        for (String ring : List.of("ring-1", "ring-64")) {
            judge.atLeastBest("MSG3", ring, ours, shared, "the best peer", HOP, 1);
        }
    }
}

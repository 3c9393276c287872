// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.kafka;

import dev.spindle.Spindle;
import dev.spindle.demo.flights.DataException;
import dev.spindle.demo.flights.FlightEvent;
import dev.spindle.demo.flights.FlightSource;
import dev.spindle.demo.flights.Timeline;
import dev.spindle.kafka.KeyedQueue;
import dev.spindle.kafka.testkit.KafkaBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of {@code spindle kafka demo}. */
final class KafkaDemo {
    private static final int PARTITIONS = 8;
    private static final int YEAR = 2013;
    private static final long LOOK_MILLIS = 200;
    private static final long SILENCE_SECONDS = 60;
    private static final int SESSION_MILLIS = 3_000;
    /** The shortest session that a broker with default settings allows, in milliseconds. */
    private static final int SESSION_OF_OTHERS_MILLIS = 6_000;

    /** The changes of the group, each at a per cent of the events. */
    private static final List<Change> CHANGES = List.of(
            new Change(15, Kind.KILL),
            new Change(30, Kind.START),
            new Change(45, Kind.STOP),
            new Change(55, Kind.START),
            new Change(70, Kind.KILL),
            new Change(70, Kind.START));

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean live;
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private volatile boolean brokenOff;
    private volatile @Nullable DemoTopic foreign; // on a broker that outlives the demo

    private enum Kind {
        KILL,
        STOP,
        START
    }

    private record Change(int percent, Kind kind) {}

    KafkaDemo(PrintWriter out, PrintWriter err, boolean live) {
        this.out = out;
        this.err = err;
        this.live = live;
    }

    /** Runs the demo, and returns true if all states are those of a run in one process. */
    boolean run(@Nullable String bootstrap, int processes, int most, int lookUpMillis)
            throws IOException, InterruptedException, NoBrokerException {
        Timeline timeline;
        try {
            timeline = Timeline.of(
                            FlightSource.read(null, YEAR, Integer.MAX_VALUE).flights())
                    .head(most);
        } catch (DataException e) {
            throw new IllegalStateException("the built-in flights cannot be read", e);
        }
        Path states = Files.createTempDirectory("spindle-kafka-demo-");
        Thread hook = new Thread(() -> breakOff(states), "spindle-kafka-demo-end");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return run(timeline, bootstrap, processes, lookUpMillis, states);
        } finally {
            if (isWithdrawn(hook)) {
                delete(states);
            }
        }
    }

    private static boolean isWithdrawn(Thread hook) {
        try {
            return Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return false; // this JVM ends, and the hook runs
        }
    }

    private boolean run(Timeline timeline, @Nullable String bootstrap, int processes, int lookUpMillis, Path states)
            throws IOException, InterruptedException, NoBrokerException {
        List<FlightEvent> events = timeline.events();
        AirframeStore expected = inOneProcess(timeline);
        try (KafkaBroker own = bootstrap == null ? startBroker() : null) {
            String address = own != null ? own.bootstrap() : Objects.requireNonNull(bootstrap);
            String topic = "spindle-demo-" + UUID.randomUUID();
            try (DemoTopic flights = DemoTopic.create(address, topic, PARTITIONS)) {
                if (own == null) {
                    foreign = flights;
                }
                say("loading " + events.size() + " events of flights into " + PARTITIONS + " partitions of " + address);
                flights.send(timeline);
                List<String> arguments = List.of(
                        address,
                        topic,
                        states.toString(),
                        Integer.toString(lookUpMillis),
                        Integer.toString(own != null ? SESSION_MILLIS : SESSION_OF_OTHERS_MILLIS));
                boolean finished = handle(flights, arguments, processes, events.size());
                return judge(timeline, expected, AirframeStore.inFiles(states)) && finished;
            } finally {
                foreign = null;
                workers.forEach(Worker::close);
            }
        }
    }

    /** Ends what would outlive this JVM, which ends before the demo does: the processes, their files, the topic. */
    private void breakOff(Path states) {
        brokenOff = true;
        workers.forEach(Worker::kill);
        DemoTopic left = foreign;
        if (left != null) {
            left.delete();
        }
        try {
            delete(states);
        } catch (IOException e) {
            // a process that ends has written
        }
    }

    private KafkaBroker startBroker() {
        say("starting a broker");
        return KafkaBroker.builder().start();
    }

    private void say(String message) {
        err.println(message);
        err.flush();
    }

    /** The same handler in this process, without a broker. */
    private static AirframeStore inOneProcess(Timeline timeline) {
        AirframeStore store = AirframeStore.inMemory();
        try (Spindle spindle = Spindle.create();
                KeyedQueue<String, String> queue = KeyedQueue.local(spindle, new FlightHandler(store, 0))) {
            for (FlightEvent event : timeline.events()) {
                var unused = queue.send(
                        timeline.tails().get(event.aircraft()),
                        Airframe.Event.of(event).text());
            }
        }
        return store;
    }

    /** Returns true if all events were handled and committed. */
    private boolean handle(DemoTopic flights, List<String> arguments, int processes, long total)
            throws InterruptedException, NoBrokerException {
        Board board = new Board(err, live, total);
        for (int i = 0; i < processes; i++) {
            start(board, arguments);
        }
        List<Change> changes = new ArrayList<>(CHANGES);
        long last = -1;
        long lastAt = System.nanoTime();
        long committed = flights.committed();
        while (committed < total) {
            Thread.sleep(LOOK_MILLIS);
            long handled = workers.stream().mapToLong(Worker::handled).sum();
            committed = flights.committed();
            long progress = Math.max(handled, committed); // a process that is killed has told less
            while (!changes.isEmpty() && progress * 100 >= changes.get(0).percent * total) {
                change(changes.remove(0).kind, board, arguments);
            }
            board.draw(workers, committed);
            lastAt = handled == last ? lastAt : System.nanoTime();
            last = handled;
            if (workers.stream().anyMatch(worker -> worker.condition() == Worker.Condition.DIED)
                    || System.nanoTime() - lastAt > TimeUnit.SECONDS.toNanos(SILENCE_SECONDS)) {
                board.say("no progress: " + workers.stream().map(Worker::end).toList());
                return false;
            }
        }
        workers.forEach(Worker::close);
        board.draw(workers, committed);
        return true;
    }

    private void change(Kind kind, Board board, List<String> arguments) {
        switch (kind) {
            case START -> start(board, arguments);
            case KILL ->
                workers.stream().filter(Worker::runs).findFirst().ifPresent(worker -> {
                    board.say("kill -9 of process " + worker.number() + ", pid " + worker.pid());
                    worker.kill();
                });
            case STOP ->
                workers.stream().filter(Worker::runs).findFirst().ifPresent(worker -> {
                    board.say("process " + worker.number() + " leaves");
                    worker.stop();
                });
        }
    }

    private void start(Board board, List<String> arguments) {
        Worker started = Worker.start(workers.size() + 1, arguments);
        workers.add(started);
        if (brokenOff) {
            started.kill();
        }
        board.say("process " + started.number() + " joins, pid " + started.pid());
    }

    private boolean judge(Timeline timeline, AirframeStore expected, AirframeStore found) throws IOException {
        Set<String> tails = new TreeSet<>();
        timeline.events().forEach(event -> tails.add(timeline.tails().get(event.aircraft())));
        Set<String> different = new LinkedHashSet<>();
        for (String tail : tails) {
            if (!expected.load(tail).equals(found.load(tail))) {
                different.add(tail + ": " + found.load(tail).text() + " and not "
                        + expected.load(tail).text());
            }
        }
        workers.forEach(worker -> out.println(Board.row(worker)));
        out.printf(
                Locale.ROOT,
                "%,d aircraft: %s%n",
                tails.size(),
                different.isEmpty()
                        ? "the state of each is that of a run in one process"
                        : different.size() + " states differ from those of a run in one process, such as "
                                + different.iterator().next());
        out.flush();
        return different.isEmpty();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}

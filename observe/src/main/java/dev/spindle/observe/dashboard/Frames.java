// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import dev.spindle.Activity;
import dev.spindle.Spindle;
import dev.spindle.Stats;
import dev.spindle.WaitEdge;
import dev.spindle.internal.Counters;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.Pool;
import dev.spindle.internal.PoolConfig;
import dev.spindle.internal.SpindlePart;
import dev.spindle.internal.WorkerContext;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Makes the texts that the page shows. All methods are synchronized, so the readings have one user at a time. */
final class Frames {
    /** The number of seconds whose figures a new viewer gets. Not measured. */
    private static final int HISTORY = 300;

    /** The maximum number of workers that a frame lists. Not measured. */
    private static final int MOST_WORKERS = 256;

    /** The maximum number of keys by age that a frame lists. Not measured. */
    private static final int MOST_OLD = 24;

    /** The maximum number of waits that a frame lists. Not measured. */
    private static final int MOST_WAITS = 48;

    /** The age of a frame above which the next one without a viewer has no rates. Not measured. */
    private static final long RECENT_MILLIS = 5_000;

    /** The maximum number of keys that a search returns. Not measured. */
    private static final int MOST_FOUND = 8;

    /** The age at which work is shown as stuck if the spindle does not look for stuck work. Not measured. */
    private static final long STUCK_MILLIS = 30_000;

    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final int number = NUMBERS.incrementAndGet(); // a later page at the same address differs
    private final Pool pool;
    private final Settings settings;
    private final Names names;
    private final Cost cost;
    private final WorkerRows workers;
    private final KeyReadings keyReadings;
    private final long stuckMillis;
    private final Deque<double[]> history = new ArrayDeque<>();
    private final Rate done = new Rate();
    private final Rate failed = new Rate();
    private final Rate superseded = new Rate();
    private final Rate wakeUps = new Rate();
    private final Rate stolen = new Rate();
    private final Rate process = new Rate();
    private final Rate own = new Rate();
    private final SampledTimes times = new SampledTimes();
    private long lastMillis;
    private long lastRow;
    private int lastBytes;
    private @Nullable Frame last;

    /** A frame, as a server-sent event. */
    static final class Frame {
        private final byte[] event;
        private final byte[] keys;
        private final long number;
        private final long took;
        private final String text;
        private final String keyText;

        private Frame(byte[] event, byte[] keys, long number, long took, String text, String keyText) {
            this.event = event;
            this.keys = keys;
            this.number = number;
            this.took = took;
            this.text = text;
            this.keyText = keyText;
        }

        void writeEvent(OutputStream out) throws IOException {
            out.write(event);
        }

        /** Writes the lists of keys and waits, an event of their own. */
        void writeKeys(OutputStream out) throws IOException {
            out.write(keys);
        }

        /** Returns the number of the reading of keys. */
        long number() {
            return number;
        }

        /** Returns the processor time of the frame without the reading of keys, in nanoseconds. */
        long took() {
            return took;
        }
    }

    Frames(Spindle spindle, Settings settings, Cost cost) {
        this.settings = settings;
        this.cost = cost;
        pool = Pool.of(spindle);
        long stuckNanos = pool.host().stuckNanos();
        stuckMillis = stuckNanos == 0 ? STUCK_MILLIS : Math.max(1, stuckNanos / 1_000_000);
        names = new Names(settings.hideKeys());
        workers = new WorkerRows(pool);
        keyReadings = new KeyReadings(spindle, pool, settings, stuckMillis, cost);
    }

    /**
     * Makes a frame.
     *
     * @param clients the number of viewers
     * @param late the time by which this call comes too late, in milliseconds
     */
    synchronized Frame make(int clients, long late) {
        long now = pool.nanoTime() / 1_000_000;
        lastMillis = now;
        KeyReadings.Reading keys = keyReadings.read(now);
        long begin = cost.ownNanos();
        List<WorkerRows.Row> rows = workers.read();
        Pool.Counts counts = pool.counts();
        StuckRows stuck = StuckRows.of(rows, keys, stuckMillis, names);
        Json json = new Json();
        json.object().member("t", Uptime.wallMillis()).member("late", late);
        int[] states = pool(json, rows, counts, keys.maxThreads());
        double[] rates = rates(json, now, counts, keys);
        double[] sampled = times.write(json, now, pool.times());
        workers(json, rows);
        json.name("stuck");
        stuck.write(json);
        json.member("stuckAll", stuck.all());
        sums(json, now, keys);
        process(json, now, clients);
        json.endObject();
        remember(now, rates, states, sampled, counts, keys);
        Frame before = last;
        boolean same = before != null && before.number == keys.number();
        String keyText = same && before != null ? before.keyText : keyLists(keys);
        byte[] event = event(null, json.toString());
        Frame frame = new Frame(
                event,
                same && before != null ? before.keys : event("keys", keyText),
                keys.number(),
                cost.ownNanos() - begin,
                json.toString(),
                keyText);
        lastBytes = event.length + (same ? 0 : frame.keys.length);
        last = frame;
        return frame;
    }

    /** Forgets the rates before a pause without viewers. */
    synchronized void startAnew() {
        for (Rate rate : List.of(done, failed, superseded, wakeUps, stolen, process, own)) {
            rate.clear();
        }
        times.clear();
    }

    static byte[] event(@Nullable String name, String data) {
        String text = (name == null ? "" : "event: " + name + "\n") + "data: " + data + "\n\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // ---------------------------------------------------------------- parts of a frame

    /** Writes the counts of the pool, and returns the numbers of running, blocked and idle workers. */
    private static int[] pool(Json json, List<WorkerRows.Row> rows, Pool.Counts counts, int most) {
        int run = 0;
        int block = 0;
        for (WorkerRows.Row row : rows) {
            run += row.isRunning && !row.isBlocked ? 1 : 0;
            block += row.isRunning && row.isBlocked ? 1 : 0;
        }
        int idle = rows.size() - run - block;
        json.name("pool")
                .object()
                .member("threads", rows.size())
                .member("core", counts.core())
                .member("max", most)
                .member("peak", counts.peakThreads())
                .member("run", run)
                .member("block", block)
                .member("idle", idle)
                .member("ready", counts.ready())
                .endObject();
        return new int[] {run, block, idle};
    }

    /** Writes the rates and the sums, and returns the rates of ended and superseded tasks. */
    private double[] rates(Json json, long now, Pool.Counts counts, KeyReadings.Reading keys) {
        Counters all = counts.all();
        long completed = all.get(Counters.What.COMPLETED);
        long failures = all.get(Counters.What.FAILED);
        long replaced = all.get(Counters.What.SUPERSEDED) + keys.superseded();
        double[] rates = {done.perSecond(now, (double) completed), superseded.perSecond(now, (double) replaced)};
        json.name("rate")
                .object()
                .member("done", rates[0])
                .member("failed", failed.perSecond(now, (double) failures))
                .member("super", rates[1])
                .member("wake", wakeUps.perSecond(now, (double) counts.wakeUps()))
                .member("stolen", stolen.perSecond(now, (double) all.get(Counters.What.STOLEN)))
                .endObject();
        json.name("sum")
                .object()
                .member("done", completed)
                .member("failed", failures)
                .member("super", replaced)
                .member("wake", counts.wakeUps())
                .member("growth", counts.growthEpisodes())
                .endObject();
        return rates;
    }

    private void workers(Json json, List<WorkerRows.Row> rows) {
        json.name("workers").array();
        int listed = 0;
        for (WorkerRows.Row row : rows) {
            if (listed++ == MOST_WORKERS) {
                break;
            }
            String state = !row.isRunning ? "i" : row.isBlocked ? "b" : "r";
            json.array().value(row.number).value(state);
            if (row.isRunning && row.ageMillis >= WorkerRows.LISTED_MILLIS) {
                json.value(row.ageMillis)
                        .value(row.space())
                        .value(row.name(names))
                        .value(row.kind())
                        .value(row.threadId())
                        .value(row.cause.at());
            }
            json.endArray();
        }
        json.endArray();
    }

    private static void sums(Json json, long now, KeyReadings.Reading keys) {
        KeyPass pass = keys.pass();
        json.name("keys")
                .object()
                .member("ago", Math.max(0, now - keys.millis()))
                .member("cost", keys.costMicros())
                .member("live", pass.live())
                .member("busy", pass.busy())
                .member("waiting", pass.waiting())
                .member("async", pass.async())
                .member("paused", pass.paused())
                .member("late", keys.late())
                .endObject();
    }

    private void process(Json json, long now, int clients) {
        Runtime runtime = Runtime.getRuntime();
        long used = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
        long spent = Cost.processNanos();
        double cpu = spent < 0 ? -1 : process.perSecond(now, spent / 1e9);
        double self = own.perSecond(now, cost.totalNanos() / 1e9);
        json.name("jvm")
                .object()
                .member("cpu", cpu)
                .member("heap", used)
                .member("most", runtime.maxMemory() >> 20)
                .endObject();
        json.name("self")
                .object()
                .member("cpu", self < 0 ? -1 : 100 * self)
                .member("bytes", lastBytes)
                .member("clients", clients)
                .endObject();
    }

    private String keyLists(KeyReadings.Reading keys) {
        Json json = new Json();
        json.object().member("t", Uptime.wallMillis()).name("old").array();
        for (KeyPass.Row row :
                keys.old().subList(0, Math.min(MOST_OLD, keys.old().size()))) {
            row.write(json, names);
        }
        json.endArray().name("deep").array();
        for (KeyPass.Row row : keys.deep()) {
            row.write(json, names);
        }
        json.endArray().name("waits").array();
        for (WaitEdge edge :
                keys.waits().subList(0, Math.min(MOST_WAITS, keys.waits().size()))) {
            json.array();
            party(json, edge.from());
            party(json, edge.to());
            json.value(kind(edge))
                    .value(edge.age().toMillis())
                    .value(edge.isCyclic())
                    .endArray();
        }
        json.endArray().member("waitsAll", keys.waits().size()).name("parts").array();
        for (KeyReadings.Part part : keys.parts()) {
            if (part.kind() != SpindlePart.Kind.SPINDLE && part.kind() != SpindlePart.Kind.STRANDS) {
                write(json, part);
            }
        }
        return json.endArray().endObject().toString();
    }

    /** Writes a part as the page reads it; a bound that there is not is -1. */
    private static void write(Json json, KeyReadings.Part part) {
        Stats figures = part.figures();
        json.array()
                .value(part.kind().name().toLowerCase(Locale.ROOT))
                .value(part.owner())
                .value(figures.name())
                .value(figures.running())
                .value(bound(figures.maxConcurrency()))
                .value(figures.pending())
                .value(bound(figures.capacity()))
                .value(figures.completed())
                .value(figures.failed())
                .value(figures.rejected())
                .value(figures.dropped());
        CallTimes times = part.times();
        if (times != null) {
            json.value(times.percentile(0.5)).value(times.percentile(0.99));
        }
        json.endArray();
    }

    private static int bound(int most) {
        return most == Integer.MAX_VALUE ? -1 : most;
    }

    private void party(Json json, Activity party) {
        json.value(party.space()).value(names.of(party));
    }

    private static String kind(WaitEdge edge) {
        return switch (edge.kind()) {
            case RESULT -> "result";
            case STAGE -> "stage";
            case ROOM -> "room";
            case VALUE -> "value";
        };
    }

    private void remember(
            long now, double[] rates, int[] states, double[] sampled, Pool.Counts counts, KeyReadings.Reading keys) {
        if (now - lastRow < 1_000) {
            return;
        }
        lastRow = now;
        history.addLast(new double[] {
            Uptime.wallMillis() / 1e3,
            rates[0],
            rates[1],
            states[0],
            states[1],
            states[2],
            sampled[0],
            sampled[1],
            sampled[2],
            sampled[3],
            counts.ready(),
            keys.pass().waiting()
        });
        if (history.size() > HISTORY) {
            history.removeFirst();
        }
    }

    // ---------------------------------------------------------------- other texts

    /** Returns the first event of a viewer, which names the process and has the figures of the last minutes. */
    synchronized byte[] hello() {
        Json json = new Json();
        json.object()
                .member("name", pool.name())
                .member("pid", ProcessHandle.current().pid())
                .member("java", Runtime.version().toString())
                .member("cpus", Runtime.getRuntime().availableProcessors())
                .member("born", Uptime.startMillis())
                .member("number", number)
                .member("tick", settings.tickMillis())
                .member("stuck", stuckMillis)
                .name("hidden")
                .value(names.areHidden())
                .name("history")
                .array();
        for (double[] row : history) {
            json.array();
            for (double value : row) {
                json.value(value);
            }
            json.endArray();
        }
        return event("hello", json.endArray().endObject().toString());
    }

    /** Returns one frame with the lists of keys: the last one if it is new enough. */
    synchronized String snapshot() {
        long age = pool.nanoTime() / 1_000_000 - lastMillis;
        Frame known = last;
        if (known == null || age > RECENT_MILLIS) {
            startAnew();
        }
        Frame frame = known == null || age >= settings.tickMillis() ? make(0, 0) : known;
        return frame.text.substring(0, frame.text.length() - 1) + ",\"lists\":" + frame.keyText + "}";
    }

    /** Returns the keys whose text contains {@code part}; none if names are hidden. */
    synchronized String find(String part) {
        long begin = pool.nanoTime();
        List<KeyPass.Row> found = new ArrayList<>();
        if (!names.areHidden() && !part.isEmpty()) {
            pool.host().readLanes(new PoolConfig.LaneReader() {
                @Override
                public void lane(
                        LaneName lane,
                        int pending,
                        int waitMillis,
                        @Nullable WorkerContext worker,
                        long asyncMillis,
                        boolean isPaused) {
                    if (found.size() < MOST_FOUND && Names.text(lane.key()).contains(part)) {
                        found.add(KeyPass.row(begin, lane, pending, waitMillis, worker, asyncMillis, isPaused));
                    }
                }
            });
        }
        Json json = new Json();
        json.object().name("rows").array();
        found.forEach(row -> row.write(json, names));
        return json.endArray()
                .member("ms", (pool.nanoTime() - begin) / 1e6)
                .endObject()
                .toString();
    }

    /** Returns the stack of a worker, or null if {@code id} is not the id of a worker's thread. */
    @Nullable
    String stack(long id) {
        return WorkerRows.stack(pool, id);
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import dev.spindle.kafka.testkit.JournalLine.Place;
import dev.spindle.kafka.testkit.JournalLine.Position;
import dev.spindle.kafka.testkit.JournalReport.Fault;
import dev.spindle.kafka.testkit.JournalReport.Kind;
import dev.spindle.kafka.testkit.JournalReport.Repeat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One run of a {@link JournalCheck}: goes through the lines of all journals in the order of their times. */
final class JournalSweep {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long NANOS_PER_MICRO = 1_000; // not measured: a unit

    private final Map<Path, Long> ends;
    private final Map<Path, Long> freezes;
    private final boolean superseding;

    private final List<Event> events = new ArrayList<>();
    private final NavigableMap<Position, Handled> records = new TreeMap<>();
    private final Map<LaneName, Lane> lanes = new HashMap<>();
    private final Map<CallName, Call> calls = new HashMap<>();
    private final List<Event> commits = new ArrayList<>();
    private final List<Repeat> repeats = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();

    /** A line, or the death of a process if there is no line. */
    private record Event(long nanos, Path journal, @Nullable JournalLine line) {
        /** At one time calls end before others begin. */
        int rank() {
            return line == null || line.position() == null ? 0 : 1;
        }
    }

    private record LaneName(Place place, String key) {}

    private record Committed(String group, Place place) {}

    private record PlaceIn(Path journal, Place place) {}

    private record CallName(Path journal, long id) {}

    private record Call(
            CallName name,
            Position position,
            long begin,
            @Nullable Lane lane) {
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }

        @Override
        public String toString() {
            return position + " in " + name.journal.getFileName();
        }
    }

    /** The records of a key in a partition. */
    private static final class Lane {
        final TreeSet<Long> offsets = new TreeSet<>();
        final Set<Call> running = new LinkedHashSet<>();
        long last = -1;
    }

    /** The history of a record. */
    private static final class Handled {
        long firstDone = NEVER;
        long lastDone = NEVER;

        @Nullable
        Path doneIn;

        long lastFailed = NEVER;
        /** The end of the first call that did this record; else of the last one that failed; else never. */
        long resolved = NEVER;
    }

    JournalSweep(Map<Path, Long> ends, Map<Path, Long> freezes, boolean superseding) {
        this.ends = ends;
        this.freezes = freezes;
        this.superseding = superseding;
    }

    void add(Path journal, List<JournalLine> lines) {
        for (JournalLine line : lines) {
            Position position = line.position();
            switch (line.kind()) {
                case BEGIN, SENT -> know(Objects.requireNonNull(position), line.word());
                case POLL -> knowPolled(Objects.requireNonNull(position), line);
                default -> {}
            }
            if (line.kind() != JournalLine.Kind.SENT && line.kind() != JournalLine.Kind.POLL) {
                events.add(new Event(line.nanos(), journal, line));
            }
        }
        Long end = ends.get(journal);
        if (end != null) {
            events.add(new Event(end, journal, null));
        }
    }

    private void know(Position position, String key) {
        records.computeIfAbsent(position, unused -> new Handled());
        if (!key.equals(JournalLine.NO_KEY)) {
            lane(position, key).offsets.add(position.offset());
        }
    }

    /** Registers what was polled, unless offsets are missing in between: compacted, or those of a transaction. */
    private void knowPolled(Position first, JournalLine line) {
        if (line.number() - first.offset() + 1 == line.count()) {
            for (long offset = first.offset(); offset <= line.number(); offset++) {
                know(first.place().at(offset), JournalLine.NO_KEY);
            }
        }
    }

    private Handled record(Position position) {
        return Objects.requireNonNull(records.get(position));
    }

    private Lane lane(Position position, String key) {
        return lanes.computeIfAbsent(new LaneName(position.place(), key), unused -> new Lane());
    }

    JournalReport run() {
        events.sort(Comparator.comparingLong(Event::nanos).thenComparingInt(Event::rank));
        events.forEach(this::take);
        checkBackwardCommits();
        long givenUp = 0;
        if (!calls.isEmpty()) {
            resolve();
            checkEnds();
            checkLosses();
            checkEarlyCommits();
            givenUp = records.values().stream()
                    .filter(record -> record.firstDone == NEVER && record.lastFailed != NEVER)
                    .count();
        }
        return new JournalReport(records.size(), calls.size(), commits.size(), givenUp, repeats, faults);
    }

    private void take(Event event) {
        JournalLine line = event.line;
        if (line == null) {
            lanes.values().forEach(lane -> lane.running.removeIf(call -> call.name.journal.equals(event.journal)));
            return;
        }
        switch (line.kind()) {
            case BEGIN -> begin(event, line, Objects.requireNonNull(line.position()));
            case DONE, FAILED -> end(event, line);
            case COMMIT -> commits.add(event);
            default -> {}
        }
    }

    private void begin(Event event, JournalLine line, Position position) {
        Lane lane = line.word().equals(JournalLine.NO_KEY) ? null : lane(position, line.word());
        Call call = new Call(new CallName(event.journal, line.number()), position, event.nanos, lane);
        calls.put(call.name, call);
        Handled record = record(position);
        if (record.doneIn != null) {
            repeats.add(new Repeat(
                    position.place().topic(),
                    position.place().partition(),
                    position.offset(),
                    record.lastDone,
                    record.doneIn,
                    event.nanos,
                    event.journal));
        }
        if (lane != null) {
            checkOrder(lane, call, JournalLine.shown(line.word()));
            lane.running.add(call);
            lane.last = position.offset();
        }
    }

    private void checkOrder(Lane lane, Call call, String key) {
        for (Call other : lane.running) {
            if (!excused(other)) {
                faults.add(new Fault(
                        Kind.OVERLAP,
                        "key " + key + ": " + call + " began " + (call.begin - other.begin) / NANOS_PER_MICRO
                                + " us after " + other + ", which had not ended"));
            }
        }
        Long next = lane.offsets.higher(lane.last);
        if (!superseding && next != null && next < call.position.offset()) {
            faults.add(new Fault(
                    Kind.DISORDER,
                    "key " + key + ": " + call + " began after offset " + lane.last + " and before " + next));
        }
    }

    /** Returns true for a call during which its process was frozen. */
    private boolean excused(Call call) {
        Long frozen = freezes.get(call.name.journal);
        return frozen != null && call.begin <= frozen;
    }

    private void end(Event event, JournalLine line) {
        Call call = calls.get(new CallName(event.journal, line.number()));
        if (call == null) {
            return; // its begin is in no journal
        }
        Handled record = record(call.position);
        if (line.kind() == JournalLine.Kind.DONE) {
            record.firstDone = Math.min(record.firstDone, event.nanos);
            record.lastDone = event.nanos;
            record.doneIn = event.journal;
        } else {
            record.lastFailed = event.nanos;
        }
        if (call.lane != null) {
            call.lane.running.remove(call);
        }
    }

    private void resolve() {
        for (Handled record : records.values()) {
            record.resolved = record.firstDone == NEVER ? record.lastFailed : record.firstDone;
        }
        if (!superseding) {
            return;
        }
        lanes.forEach((name, lane) -> {
            long soonest = NEVER;
            for (long offset : lane.offsets.descendingSet()) {
                Handled record = record(name.place.at(offset));
                soonest = Math.min(soonest, record.resolved);
                record.resolved = soonest;
            }
        });
    }

    /** The last call of each lane is that of its newest record, unless that was lost. */
    private void checkEnds() {
        lanes.forEach((name, lane) -> {
            long newest = lane.offsets.last();
            boolean begun = record(name.place.at(newest)).resolved != NEVER;
            if (begun && lane.last != newest) {
                faults.add(new Fault(
                        Kind.DISORDER,
                        "key " + JournalLine.shown(name.key) + ": the last call was that of " + name.place.at(lane.last)
                                + ", and the newest record is at " + newest));
            }
        });
    }

    private void checkLosses() {
        records.forEach((position, record) -> {
            if (record.resolved == NEVER) {
                faults.add(new Fault(Kind.LOSS, position + " was never handled to an end"));
            }
        });
    }

    private void checkEarlyCommits() {
        Map<Place, NavigableMap<Long, Position>> latest = new HashMap<>();
        Map<Place, Long> ofPlace = new HashMap<>();
        // For each partition, the offsets at which the latest end so far rises, in the order of the offsets.
        records.forEach((position, record) -> {
            if (record.resolved > ofPlace.getOrDefault(position.place(), Long.MIN_VALUE)) {
                ofPlace.put(position.place(), record.resolved);
                latest.computeIfAbsent(position.place(), unused -> new TreeMap<>())
                        .put(position.offset(), position);
            }
        });
        for (Event commit : commits) {
            Position next =
                    Objects.requireNonNull(Objects.requireNonNull(commit.line).position());
            Map.Entry<Long, Position> below =
                    latest.getOrDefault(next.place(), new TreeMap<>()).lowerEntry(next.offset());
            if (below != null && record(below.getValue()).resolved > commit.nanos) {
                faults.add(new Fault(
                        Kind.EARLY_COMMIT,
                        commit.journal.getFileName() + " committed " + next + " before " + below.getValue()
                                + " was done"));
            }
        }
    }

    private void checkBackwardCommits() {
        Map<Committed, Event> last = new HashMap<>();
        Set<PlaceIn> learnedLate = new HashSet<>();
        for (Event commit : commits) {
            JournalLine line = Objects.requireNonNull(commit.line);
            Position next = Objects.requireNonNull(line.position());
            Committed name = new Committed(line.word(), next.place());
            Event before = last.put(name, commit);
            boolean late = commit.nanos > freezes.getOrDefault(commit.journal, NEVER)
                    && learnedLate.add(new PlaceIn(commit.journal, next.place()));
            if (before != null) {
                long offset = Objects.requireNonNull(
                                Objects.requireNonNull(before.line).position())
                        .offset();
                if (next.offset() < offset && late) {
                    last.put(name, before); // made before the freeze
                } else if (next.offset() < offset) {
                    faults.add(new Fault(
                            Kind.BACKWARD_COMMIT,
                            commit.journal.getFileName() + " committed " + next + " after "
                                    + before.journal.getFileName() + " had committed " + offset));
                }
            }
        }
    }
}

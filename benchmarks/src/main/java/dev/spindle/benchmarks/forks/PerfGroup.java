// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Counts with {@code perf} what the processes of a control group do, however many threads they have and whenever those
 * were started. Used by one thread; counts any number of times, one after the other.
 */
public final class PerfGroup implements AutoCloseable {
    private static final String SWITCHES = "context-switches";
    private static final String FUTEX = "syscalls:sys_enter_futex";
    private static final String CALLS = "raw_syscalls:sys_enter";

    private final ControlGroup group;

    private PerfGroup(ControlGroup group) {
        this.group = group;
    }

    /** What was counted in a while. */
    public record Counts(long switches, long futexCalls, long systemCalls) {}

    /** A count under way. */
    public static final class Count {
        private final PerfStat perf;

        private Count(PerfStat perf) {
            this.perf = perf;
        }

        /** Counts no more. */
        public Counts end() {
            return parse(perf.end());
        }
    }

    /** Makes the group; empty where there is no perf, or where this process may not make or count one. */
    public static Optional<PerfGroup> open() {
        Optional<PerfGroup> made = ControlGroup.open("perf_event", group -> {}).map(PerfGroup::new);
        if (made.isPresent() && !made.get().works()) {
            made.get().close();
            return Optional.empty();
        }
        return made;
    }

    /** What to put before the command that is to be counted. */
    public List<String> prefix() {
        return group.prefix();
    }

    /** Counts from now on. */
    public Count begin() {
        PerfStat perf = new PerfStat(what());
        perf.begin();
        return new Count(perf);
    }

    /** Removes the group; its processes must have ended. */
    @Override
    public void close() {
        group.close();
    }

    static Counts parse(List<String> lines) {
        List<Long> switches = PerfStat.counts(lines, SWITCHES);
        List<Long> futex = PerfStat.counts(lines, FUTEX);
        List<Long> calls = PerfStat.counts(lines, CALLS);
        if (switches.size() != 1 || futex.size() != 1 || calls.size() != 1) {
            throw new IllegalStateException("a count of each event expected from perf, got " + lines);
        }
        return new Counts(switches.get(0), futex.get(0), calls.get(0));
    }

    private List<String> what() {
        return List.of("-a", "-e", SWITCHES, "-e", FUTEX, "-e", CALLS, "-G", group.name());
    }

    private boolean works() {
        List<String> command = new ArrayList<>(List.of("perf", "stat"));
        command.addAll(what());
        command.add("true");
        return Programs.succeeds(command.toArray(String[]::new));
    }
}

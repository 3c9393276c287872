// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.log;

import dev.spindle.Spindle;
import dev.spindle.Strand;
import dev.spindle.StrandBuilder;
import dev.spindle.StrandGroup;
import dev.spindle.commands.Range;
import dev.spindle.examples.Example;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code spindle example log}, which runs {@link ReplicatedLog}. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Many replicated logs on a group of strands: with threads of their own, or on a spindle.",
        footer = {"", "Exit status: 0 when all replicas agree and everything was committed in order; 1 when not."})
public final class LogCommand extends Example {
    @Option(
            names = "--logs",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many logs. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 100_000)
    private int logs;

    @Option(
            names = "--entries",
            paramLabel = "N",
            defaultValue = "5000",
            description = "Entries for each. Default: ${DEFAULT-VALUE}.")
    @Range(least = 0, most = 1_000_000)
    private int entries;

    @Option(
            names = "--strands",
            paramLabel = "N",
            defaultValue = "8",
            description = "Strands in the group. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 1024)
    private int strands;

    @Option(names = "--shared", description = "Puts the strands on a spindle, instead of a thread for each.")
    private boolean shared;

    /** Runs this example as a program of its own. */
    public static void main(String[] arguments) {
        start(new LogCommand(), arguments);
    }

    @Override
    protected Outcome act() {
        step(
                shared
                        ? "The strands share the threads of a spindle."
                        : "Each strand has a thread of its own; with --shared they share a spindle's.");
        step("%,d logs have a leader and two followers each, on %d strands, without locks.", logs, strands);
        String fault = shared ? onASpindle() : fill(Strand.builder("raft").buildGroup(strands));
        return new Outcome(
                String.format(Locale.ROOT, "%,d entries in %,d logs of three replicas", (long) logs * entries, logs),
                "all replicas agree, and clients saw their entries committed in order.",
                fault);
    }

    private @Nullable String onASpindle() {
        try (Spindle spindle = Spindle.create()) {
            StrandBuilder builder = spindle.strandBuilder("raft"); // the only difference from strands with threads
            return fill(builder.buildGroup(strands));
        }
    }

    /** Appends entries to all logs, waits for their commits, and returns a description of a fault, or null. */
    private @Nullable String fill(StrandGroup group) {
        List<ReplicatedLog> all = IntStream.range(0, logs)
                .mapToObj(number -> new ReplicatedLog(group, number))
                .toList();
        step("Clients append %,d entries to each; an entry is committed when two of three replicas have it.", entries);
        List<List<CompletableFuture<Integer>>> indices = new ArrayList<>();
        all.forEach(log -> indices.add(new ArrayList<>()));
        for (int entry = 0; entry < entries; entry++) {
            for (int log = 0; log < logs; log++) {
                indices.get(log).add(all.get(log).append("entry " + entry));
            }
        }
        step("All entries are under way; each client waits for the index of its own.");
        for (List<CompletableFuture<Integer>> ofLog : indices) {
            for (int entry = 0; entry < entries; entry++) {
                int index = ofLog.get(entry).join();
                if (index != entry) {
                    return "entry " + entry + " was committed at " + index;
                }
            }
        }
        step("Every entry is committed; the strands are closed, and the replicas are compared.");
        group.close(); // makes the writes of the strands visible
        return all.stream()
                .map(ReplicatedLog::check)
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(null);
    }
}

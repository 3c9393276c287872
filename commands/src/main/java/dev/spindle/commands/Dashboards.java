// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.commands;

import dev.spindle.Spindle;
import dev.spindle.internal.Pool;
import dev.spindle.observe.dashboard.Dashboard;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * The option {@code --dashboard}: each spindle that a command creates has a live page, at an address on loopback that
 * is printed. At most eight spindles have a page at the same time. The page of a later spindle takes the address of
 * the page of a spindle that has ended, so a browser shows one spindle after the other.
 */
public final class Dashboards implements AutoCloseable {
    static final String NAME = "--dashboard";

    /** The maximum number of pages at the same time. Not measured. */
    private static final int MOST = 8;

    private final PrintWriter out;
    private final int[] ports = new int[MOST]; // of the last page of each place, or 0; guarded by this, as is the next
    private final @Nullable Dashboard[] open = new Dashboard[MOST];

    private Dashboards(PrintWriter out) {
        this.out = out;
    }

    /** Adds the option to the subcommands of {@code line} that have no option of this name. Returns {@code line}. */
    public static CommandLine addTo(CommandLine line) {
        Set<OptionSpec> added = Collections.newSetFromMap(new IdentityHashMap<>());
        add(line, added);
        return line.setExecutionStrategy(parsed -> {
            ParseResult last = parsed;
            while (last.hasSubcommand()) {
                last = last.subcommand();
            }
            OptionSpec option = last.matchedOption(NAME);
            if (option == null || !added.contains(option)) {
                return new RunLast().execute(parsed);
            }
            try (Dashboards pages =
                    new Dashboards(last.commandSpec().commandLine().getErr())) {
                Pool.onCreate(spindle -> pages.show((Spindle) spindle));
                try {
                    return new RunLast().execute(parsed);
                } finally {
                    Pool.onCreate(null);
                }
            }
        });
    }

    private static void add(CommandLine line, Set<OptionSpec> added) {
        CommandSpec spec = line.getCommandSpec();
        if (spec.userObject() instanceof Callable && spec.findOption(NAME) == null) {
            OptionSpec option = OptionSpec.builder(NAME)
                    .type(boolean.class)
                    .description("Show the spindles in a browser, at addresses that are printed.")
                    .build();
            spec.addOption(option);
            added.add(option);
        }
        line.getSubcommands().values().forEach(sub -> add(sub, added));
    }

    private synchronized void show(Spindle spindle) {
        int place = 0;
        while (place < MOST && open[place] != null) {
            place++;
        }
        if (place == MOST) {
            return;
        }
        Dashboard page = open(spindle, ports[place]);
        if (ports[place] != page.uri().getPort()) {
            ports[place] = page.uri().getPort();
            out.println("The page: " + page.uri());
            out.flush();
        }
        open[place] = page;
        CompletableFuture<?> unused = spindle.terminated().whenComplete((done, failure) -> free(page));
    }

    private static Dashboard open(Spindle spindle, int port) {
        if (port != 0) {
            try {
                return Dashboard.builder(spindle).port(port).build();
            } catch (UncheckedIOException e) {
                // Another process has bound the port since; a free port serves as well.
            }
        }
        return Dashboard.open(spindle);
    }

    private void free(Dashboard page) {
        page.close(); // before another page is opened at its port
        synchronized (this) {
            for (int place = 0; place < MOST; place++) {
                open[place] = open[place] == page ? null : open[place];
            }
        }
    }

    /** Closes the pages. */
    @Override
    public void close() {
        @Nullable Dashboard[] all;
        synchronized (this) {
            all = open.clone();
        }
        for (Dashboard page : all) {
            if (page != null) {
                page.close();
            }
        }
    }
}

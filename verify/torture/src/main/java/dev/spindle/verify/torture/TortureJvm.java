// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture;

import dev.spindle.commands.CommandLines;
import dev.spindle.commands.Dashboards;
import dev.spindle.verify.torture.tools.Pause;
import dev.spindle.verify.torture.tools.Timeouts;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Runs the torture in another JVM, with a given collector or with a part of the processor time. */
final class TortureJvm {
    private static final int PERIOD_MILLIS = 100;
    /** The factor of all time limits in a JVM with a part of the processor time. */
    private static final int LATE_FACTOR = 4;

    private final List<String> options;
    private final List<String> arguments;
    private final int share;

    /** The collectors that can be chosen. */
    enum Collector {
        SERIAL("-XX:+UseSerialGC"),
        PARALLEL("-XX:+UseParallelGC"),
        G1("-XX:+UseG1GC"),
        Z("-XX:+UseZGC");

        private final String option;

        Collector(String option) {
            this.option = option;
        }
    }

    /**
     * @param share the number of milliseconds in each 100 ms for which the JVM runs
     * @param arguments the arguments of the command
     */
    TortureJvm(@Nullable Collector collector, int share, List<String> arguments) {
        options = collector == null ? List.of() : List.of(collector.option);
        this.share = share;
        this.arguments = arguments;
    }

    /** The main class of the other JVM. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) {
            int factor = Integer.parseInt(arguments[0]);
            Timeouts.set(factor);
            String[] rest =
                    Arrays.asList(arguments).subList(1, arguments.length).toArray(String[]::new);
            CommandLine line = CommandLines.of(new CommandLine(new TortureCommand()));
            int status = CommandLines.run(Dashboards.addTo(line), rest);
            System.out.flush();
            Runtime.getRuntime().halt(status); // threads that hang must not keep the process alive
        }
    }

    /** Runs the other JVM, copies its output, and returns its exit status. */
    int run(PrintWriter console) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(property("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", property("java.class.path"), Child.class.getName()));
        command.add(Integer.toString(share < PERIOD_MILLIS ? LATE_FACTOR : 1));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread hook = new Thread(process::destroyForcibly, "end-of-torture");
        Runtime.getRuntime().addShutdownHook(hook);
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine(); // read before any stop, so that the JVM starts at full speed
            Thread stopping = new Thread(() -> stopAgainAndAgain(process), "torture-stop");
            stopping.setDaemon(true);
            if (share < PERIOD_MILLIS) {
                stopping.start();
            }
            for (; line != null; line = lines.readLine()) {
                console.println(line);
            }
            return process.waitFor();
        } finally {
            process.destroyForcibly();
            forget(hook);
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException thisJvmIsEnding) {
            // The JVM is ending, and the hook will run.
        }
    }

    /** Sends all signals through one shell, which continues the other JVM at the end of its input. */
    private void stopAgainAndAgain(Process process) {
        String pid = Long.toString(process.pid());
        try {
            Process shell = new ProcessBuilder(
                            "sh", "-c", "while read s; do kill -$s $1; done; kill -CONT $1", "sh", pid)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.to(new File("/dev/null")))
                    .start();
            try (Writer signals = shell.outputWriter()) {
                while (process.isAlive()) {
                    signal(signals, "STOP");
                    Pause.whole(TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS - share));
                    signal(signals, "CONT");
                    Pause.whole(TimeUnit.MILLISECONDS.toNanos(share));
                }
            }
        } catch (IOException e) {
            process.destroyForcibly(); // the JVM cannot be stopped and continued
        }
    }

    private static void signal(Writer signals, String name) throws IOException {
        signals.write(name + "\n");
        signals.flush();
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }
}

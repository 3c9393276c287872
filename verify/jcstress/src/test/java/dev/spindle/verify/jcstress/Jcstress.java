// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.jcstress;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs jcstress tests: one, or all claims in one run, which calibrates only once.
 *
 * <p>The settings are small: about two seconds for a test of two actors on two processors, with the compiler that
 * randomizes the order of instructions, which finds reorderings. With {@code -Dverify.long=true} they cover each
 * compiler, with and without randomization, and mixes of them, for longer. Pages of the heap are not touched
 * beforehand, which would take about as long as the test.
 */
final class Jcstress {
    private static final String GENERATED = "_jcstress.class";
    private static final boolean AT_LENGTH = Boolean.getBoolean("verify.long");
    private static final long LIMIT_MINUTES = AT_LENGTH ? 600 : 20;
    private static final List<String> SETTINGS =
            List.of("-f 1 -fsm 1 -pth false -spinStyle THREAD_YIELD".split(" ", -1));
    private static final List<String> LONG = List.of("-iters 4 -time 250".split(" ", -1));
    private static final List<String> SHORT = List.of("-sc false -iters 2 -time 100".split(" ", -1));

    private static final List<String> ONE_COMPILER = List.of(
            "-jvmArgs",
            "-XX:-TieredCompilation -XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM -XX:+StressIGVN"
                    + " -XX:+StressCCP");

    /** The package of programs with a known fault, which show that the tool finds it. */
    private static final String FAULTS = Jcstress.class.getPackageName() + ".";

    private static final Path CLASSES = Path.of("target", "test-classes").toAbsolutePath();

    private Jcstress() {}

    /** Names of the claims that the annotation processor has found. */
    static List<String> claims() {
        try (Stream<Path> files = Files.walk(CLASSES)) {
            return files.map(file -> CLASSES.relativize(file).toString())
                    .filter(file -> file.endsWith(GENERATED))
                    .map(file -> file.substring(0, file.length() - GENERATED.length())
                            .replace(File.separatorChar, '.'))
                    .filter(name -> !name.startsWith(FAULTS))
                    .sorted()
                    .collect(Collectors.toList());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Runs one test. */
    static Outcome run(String name) throws IOException, InterruptedException {
        // The generated class has an underscore where the test has the dot of a nested class: both match a dot here.
        return run(name, "^" + name.replace('_', '.') + "$");
    }

    /** Runs all claims, one after the other. */
    static Outcome runClaims() throws IOException, InterruptedException {
        return run("all", "^(?!" + Pattern.quote(FAULTS) + ").*");
    }

    private static Outcome run(String name, String pattern) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(Path.of("target", "jcstress", name));
        Path log = directory.resolve("log.txt").toAbsolutePath();
        List<String> command = new ArrayList<>();
        command.add(Path.of(property("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", classPath(), "org.openjdk.jcstress.Main"));
        command.addAll(SETTINGS);
        command.addAll(AT_LENGTH ? LONG : SHORT);
        if (!AT_LENGTH) {
            command.addAll(ONE_COMPILER);
        }
        command.addAll(List.of("-t", pattern, "-r", "report"));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException(
                        name + " did not end within " + LIMIT_MINUTES + " minutes; its log is " + log);
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue(), Files.readString(log), directory.resolve("report"));
    }

    /** Returns the class path without directories that do not exist, for which jcstress fails. */
    private static String classPath() {
        return Stream.of(property("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> Files.exists(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String property(String name) {
        return requireNonNull(System.getProperty(name), name);
    }

    /**
     * The result of a run.
     *
     * @param report the folder with a page for each test that was run
     */
    record Outcome(int status, String log, Path report) {
        /** Returns true if tests were found and ran; jcstress also ends with 0 if the name matches nothing. */
        boolean ran() {
            return log.contains("RUN RESULTS:") && !log.contains("(Results: 0 planned");
        }

        /** Returns true if this test was among them. */
        boolean ran(String name) {
            return ran() && Files.isRegularFile(report.resolve(name + ".html"));
        }

        /** Returns true if this test failed, or could not be run. */
        boolean failed(String name) {
            return log.lines().anyMatch(line -> line.matches("\\.*\\s*\\[(?!OK).*\\] " + Pattern.quote(name)));
        }
    }
}

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
 * Runs the jcstress tests of one directory of classes: one, or all in one run, which looks only once at what the
 * machine can do.
 *
 * <p>The settings are small: about two seconds for a test of two actors on two processors, with the compiler whose
 * order of instructions is shaken, which is what finds a reordering. With {@code -Dverify.long=true} they cover each
 * compiler, plain and shaken, and mixes of them, for longer. Pages of the heap are not touched beforehand, which would
 * take about as long as the test.
 */
final class Jcstress {
    private static final String GENERATED = "_jcstress.class";
    private static final boolean DEEP = Boolean.getBoolean("verify.long");
    private static final long LIMIT_MINUTES = DEEP ? 600 : 20;
    private static final List<String> SETTINGS =
            List.of("-f 1 -fsm 1 -pth false -spinStyle THREAD_YIELD".split(" ", -1));
    private static final List<String> LONG = List.of("-iters 4 -time 250".split(" ", -1));
    private static final List<String> SHORT = List.of("-sc false -iters 2 -time 100".split(" ", -1));

    private static final List<String> ONE_COMPILER = List.of(
            "-jvmArgs",
            "-XX:-TieredCompilation -XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM -XX:+StressIGVN"
                    + " -XX:+StressCCP");

    private final Path classes;
    private final Path other;

    private Jcstress(Path classes, Path other) {
        this.classes = classes.toAbsolutePath();
        this.other = other.toAbsolutePath();
    }

    /** The claims that hold. */
    static Jcstress claims() {
        return new Jcstress(Path.of("target", "classes"), Path.of("target", "test-classes"));
    }

    /** Programs with a known fault, which show that the tool finds it. */
    static Jcstress faults() {
        return new Jcstress(Path.of("target", "test-classes"), Path.of("target", "classes"));
    }

    /** Names of the tests that the annotation processor has found. */
    List<String> names() {
        if (!Files.isDirectory(classes)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(file -> classes.relativize(file).toString())
                    .filter(file -> file.endsWith(GENERATED))
                    .map(file -> file.substring(0, file.length() - GENERATED.length())
                            .replace(File.separatorChar, '.'))
                    .sorted()
                    .collect(Collectors.toList());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Runs one test. */
    Outcome run(String name) throws IOException, InterruptedException {
        // The generated class has an underscore where the test has the dot of a nested class: both match a dot here.
        return run(name, "^" + name.replace('_', '.') + "$");
    }

    /** Runs all tests, one after the other. */
    Outcome runAll() throws IOException, InterruptedException {
        return run("all", ".*");
    }

    private Outcome run(String name, String pattern) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(Path.of("target", "jcstress", name));
        Path log = directory.resolve("log.txt").toAbsolutePath();
        List<String> command = new ArrayList<>();
        command.add(Path.of(property("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", classPath(), "org.openjdk.jcstress.Main"));
        command.addAll(SETTINGS);
        command.addAll(DEEP ? LONG : SHORT);
        if (!DEEP) {
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

    /** jcstress reads the first list of tests that it meets, so the other directory must not be there. */
    private String classPath() {
        return classes
                + File.pathSeparator
                + Stream.of(property("java.class.path").split(File.pathSeparator, -1))
                        .filter(entry -> !Path.of(entry).toAbsolutePath().equals(other))
                        .collect(Collectors.joining(File.pathSeparator));
    }

    private static String property(String name) {
        return requireNonNull(System.getProperty(name), name);
    }

    /**
     * What a run came to.
     *
     * @param report the folder with a page for each test that was run
     */
    record Outcome(int status, String log, Path report) {
        /** Tells that tests were found and ran; jcstress also ends with 0 when the name matches nothing. */
        boolean ran() {
            return log.contains("RUN RESULTS:") && !log.contains("(Results: 0 planned");
        }

        /** Tells that this test was among them. */
        boolean ran(String name) {
            return ran() && Files.isRegularFile(report.resolve(name + ".html"));
        }

        /** Tells that this test has failed, or could not be run. */
        boolean failed(String name) {
            return log.lines().anyMatch(line -> line.matches("\\.*\\s*\\[(?!OK).*\\] " + Pattern.quote(name)));
        }
    }
}

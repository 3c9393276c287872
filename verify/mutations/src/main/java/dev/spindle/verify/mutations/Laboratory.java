// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles mutants of core, messaging, flow, gateway, kafka and testkit into a separate folder, and runs tests on
 * them. The checkout is not changed.
 */
final class Laboratory {
    private static final int LOOK_MILLIS = 250;
    private static final List<String> LINCHECK = List.of(
            "-XX:+EnableDynamicAgentLoading",
            "-Xshare:off",
            "-Djdk.attach.allowAttachSelf=true",
            "-Dverify.deep=true",
            "-Dverify.draws=2",
            "-XX:ActiveProcessorCount=1");
    private static final List<String> JCSTRESS =
            List.of("-f", "1", "-fsm", "1", "-sc", "false", "-pth", "false", "-spinStyle", "THREAD_YIELD");
    /** The jcstress options to detect a fault; the run ends at the first failure. */
    private static final List<String> EFFORT = List.of("-iters", "4", "-time", "250");
    /**
     * The jcstress options of a control run: a shorter time, and only the JIT compiler that randomizes the order of
     * instructions. Each build runs these tests for a longer time.
     */
    private static final List<String> CONTROL_EFFORT = List.of(
            "-iters",
            "2",
            "-time",
            "100",
            "-jvmArgs",
            "-XX:-TieredCompilation -XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM -XX:+StressIGVN"
                    + " -XX:+StressCCP");
    /** The line that jcstress prints for a test with a forbidden outcome or an exception. */
    private static final Pattern JCSTRESS_FAILED = Pattern.compile("\\[(FAILED|ERROR)] dev\\.spindle");

    private final Path root;
    private final Path folder;

    /**
     * @param root the checkout, in which the main and test classes are compiled
     * @param folder the folder of mutants and logs
     */
    Laboratory(Path root, Path folder) {
        this.root = root;
        this.folder = folder;
    }

    /** Returns the text of the source file with the fault. */
    String mutate(Mutation mutation) throws IOException {
        return mutation.applyTo(Files.readString(source(mutation)));
    }

    private Path source(Mutation mutation) {
        return root.resolve(mutation.path());
    }

    /**
     * Compiles a mutant and returns the folder of its classes.
     *
     * @throws IllegalStateException if the mutant does not compile
     */
    Path compile(Mutation mutation) throws IOException {
        Path home = folder.resolve(mutation.name());
        deleteAll(home);
        Path classes = Files.createDirectories(home.resolve("classes"));
        Path source = home.resolve("source").resolve(mutation.file());
        Files.createDirectories(requireNonNull(source.getParent()));
        Files.writeString(source, mutate(mutation));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-nowarn",
                    "-proc:none",
                    "--release",
                    "17",
                    "-d",
                    classes.toString(),
                    "-cp",
                    classPath(core(), messaging(), flow(), gateway(), kafka(), testkit(), claims(), tests("core")));
            if (!compiler.getTask(messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call()) {
                throw new IllegalStateException("mutation " + mutation.name() + " does not compile: " + messages);
            }
        }
        return classes;
    }

    /** Runs the test of a mutation on its mutant. */
    Verdict run(Mutation mutation) throws IOException, InterruptedException {
        Path home = folder.resolve(mutation.name());
        return run(mutation.catcher().kind(), List.of(mutation.catcher()), compile(mutation), home, EFFORT);
    }

    /** Runs tests of one kind in one process, without a fault. A test that fails in this run cannot detect a mutant. */
    Verdict control(Catcher.Kind kind, Collection<Catcher> catchers) throws IOException, InterruptedException {
        Path home = controlFolder(kind, catchers);
        deleteAll(home);
        return run(kind, catchers, Files.createDirectories(home.resolve("none")), home, CONTROL_EFFORT);
    }

    /**
     * Returns the folder of a control run's log. The tests of a kind that run together share one folder, and a test
     * that runs alone has its own.
     */
    Path controlFolder(Catcher.Kind kind, Collection<Catcher> catchers) {
        String all = "all-" + kind.name().toLowerCase(Locale.ROOT);
        return folder.resolve("control")
                .resolve(catchers.size() == 1 ? catchers.iterator().next().name() : all);
    }

    private Verdict run(Catcher.Kind kind, Collection<Catcher> catchers, Path mutant, Path home, List<String> effort)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(property("java.home"), "bin", "java").toString());
        Stream<String> names = catchers.stream().map(Catcher::fullName);
        if (kind == Catcher.Kind.JCSTRESS) {
            // jcstress reads only the first list of tests on the class path, so no list may precede the list of these
            // tests.
            command.addAll(List.of("-cp", classPath(mutant, core(), messaging(), claims(), tests("core"))));
            command.add("org.openjdk.jcstress.Main");
            command.addAll(JCSTRESS);
            command.addAll(effort);
            command.addAll(List.of("-r", "report", "-t", names.collect(Collectors.joining("|", "^(", ")$"))));
        } else {
            command.addAll(kind == Catcher.Kind.LINCHECK ? LINCHECK : List.of());
            command.add("-Djunit.jupiter.execution.timeout.default=" + kind.limitSeconds() + " s");
            command.addAll(List.of(
                    "-cp",
                    classPath(
                            mutant,
                            core(),
                            messaging(),
                            flow(),
                            gateway(),
                            kafka(),
                            testkit(),
                            tests("core"),
                            tests("messaging"),
                            tests("flow"),
                            tests("gateway"),
                            tests("kafka"),
                            tests("testkit"))));
            command.add(TestRun.class.getName());
            names.forEach(command::add);
        }
        Path log = home.resolve("log.txt");
        Process process = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos((long) kind.limitSeconds() * catchers.size());
            while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (System.nanoTime() - end > 0) {
                    Files.writeString(log, "did not end in time", StandardOpenOption.APPEND);
                    return Verdict.KILLED;
                }
                if (kind == Catcher.Kind.JCSTRESS
                        && JCSTRESS_FAILED.matcher(Files.readString(log)).find()) {
                    return Verdict.KILLED; // the first failure is sufficient
                }
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return kind == Catcher.Kind.JCSTRESS ? ofJcstress(Files.readString(log)) : ofTest(process.exitValue());
    }

    private static Verdict ofJcstress(String log) {
        if (JCSTRESS_FAILED.matcher(log).find()) {
            return Verdict.KILLED;
        }
        // jcstress ends with status 0 if no test has the given name.
        boolean ran = log.contains("RUN RESULTS:") && !log.contains("(Results: 0 planned");
        return ran && log.contains("Error tests: No matches") ? Verdict.SURVIVED : Verdict.NOTHING_RAN;
    }

    private static Verdict ofTest(int status) {
        for (Verdict verdict : Verdict.values()) {
            if (verdict.exit() == status) {
                return verdict;
            }
        }
        return Verdict.NOTHING_RAN;
    }

    private Path core() {
        return root.resolve("core/target/classes");
    }

    private Path messaging() {
        return root.resolve("messaging/target/classes");
    }

    private Path flow() {
        return root.resolve("flow/target/classes");
    }

    private Path gateway() {
        return root.resolve("gateway/target/classes");
    }

    private Path kafka() {
        return root.resolve("kafka/target/classes");
    }

    private Path testkit() {
        return root.resolve("testkit/target/classes");
    }

    private Path tests(String module) {
        return root.resolve(module + "/target/test-classes");
    }

    private Path claims() {
        return root.resolve("verify/jcstress/target/test-classes");
    }

    private static String classPath(Path... first) {
        StringBuilder path = new StringBuilder();
        for (Path one : first) {
            path.append(one).append(File.pathSeparatorChar);
        }
        return path.append(property("java.class.path")).toString();
    }

    private static String property(String name) {
        return requireNonNull(System.getProperty(name), name);
    }

    private static void deleteAll(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.toList();
        }
        for (int i = all.size() - 1; i >= 0; i--) {
            Files.delete(all.get(i));
        }
    }
}

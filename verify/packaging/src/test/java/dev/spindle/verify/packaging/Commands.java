// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs commands of the JDK and Maven as a user does: in processes of their own. */
final class Commands {
    private static final long LIMIT_SECONDS = 120;

    private Commands() {}

    /** Runs a tool of the JDK that runs the tests, and returns what it printed. Fails if it fails. */
    static String jdk(Path folder, String tool, Object... arguments) throws IOException, InterruptedException {
        return run(folder, Path.of(Jars.property("java.home"), "bin", tool), arguments);
    }

    /** Compiles with warnings as errors, so that a missing jar shows even where it is only warned of. */
    static void javac(Path folder, Object... arguments) throws IOException, InterruptedException {
        List<Object> all = new ArrayList<>(List.of("-Xlint:all", "-Werror", "--release", "17"));
        all.addAll(List.of(arguments));
        assertThat(jdk(folder, "javac", all.toArray(new Object[0]))).isEmpty();
    }

    static String run(Path folder, Path program, Object... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Path log = Files.createTempFile(folder, "log", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", Jars.property("java.home"));
        builder.environment().remove("MAVEN_OPTS");
        builder.environment().remove("MAVEN_ARGS");
        Process process = builder.start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly();
        }
        String printed = Files.readString(log);
        assertThat(ended && process.exitValue() == 0)
                .as("%s: %s", command, printed)
                .isTrue();
        return printed;
    }

    /** Returns a class path or a module path. */
    static String path(Collection<Path> entries) {
        return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts JVMs for single tests. */
final class ForkedJvm {
    private ForkedJvm() {}

    /** Returns a process builder that runs {@code main}, a test class, with {@code options} for the JVM. */
    static ProcessBuilder of(Class<?> main, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("-cp", placeOf(Spindle.class) + File.pathSeparator + placeOf(main), main.getName()));
        return of(arguments);
    }

    /** Returns a process builder that starts a JVM like this one. */
    static ProcessBuilder of(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(requireNonNull(System.getProperty("java.home")), "bin", "java")
                .toString());
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectErrorStream(true);
    }

    /** Returns the directory or archive from which {@code type} was loaded. */
    static String placeOf(Class<?> type) throws Exception {
        URL place = requireNonNull(
                requireNonNull(type.getProtectionDomain().getCodeSource()).getLocation());
        return Path.of(place.toURI()).toString();
    }
}

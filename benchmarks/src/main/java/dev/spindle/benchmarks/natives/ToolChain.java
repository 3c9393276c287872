// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.natives;

import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.Programs;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Builds the program of a language in its folder of {@code benchmarks/native}. This class is not thread-safe. */
final class ToolChain implements Contender.Requirement {
    private static final Path SOURCES =
            Programs.placeOf(ToolChain.class).resolve("../../native").normalize();
    static final ToolChain GO = new ToolChain(
            "Go",
            Path.of("/usr/local/go/bin"),
            SOURCES.resolve("go"),
            "target/spindle-native",
            List.of("go", "build", "-o", "target/spindle-native", "."));
    static final ToolChain RUST = new ToolChain(
            "Rust",
            Path.of(System.getenv().getOrDefault("HOME", ""), ".cargo", "bin"),
            SOURCES.resolve("rust"),
            "target/release/spindle-native",
            List.of("cargo", "build", "--release"));
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private final String language;
    private final Path usualPlace;
    private final Path folder;
    private final Path program;
    private final List<String> build;
    private Optional<String> failure = Optional.empty();
    private boolean prepared;

    /**
     * @param usualPlace the folder of the tool if it is not on the PATH
     * @param program the program that the tool builds, relative to the folder
     * @param build the name of the tool and its arguments
     */
    ToolChain(String language, Path usualPlace, Path folder, String program, List<String> build) {
        this.language = language;
        this.usualPlace = usualPlace;
        this.folder = folder;
        this.program = folder.resolve(program);
        this.build = build;
    }

    /** Runs the tool once; a second call has no effect. */
    @Override
    public void prepare(PrintWriter console) {
        Optional<Path> tool = tool();
        if (prepared || tool.isEmpty()) {
            return;
        }
        prepared = true;
        List<String> command = new ArrayList<>(build);
        command.set(0, tool.get().toString());
        console.println("Building the contenders in " + language + ": " + String.join(" ", command));
        console.flush();
        try {
            ProcessBuilder process =
                    new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
            Programs.Output output = Programs.run(process, LIMIT);
            output.lines().forEach(line -> console.println("  " + line));
            if (output.exit() != 0) {
                failure = Optional.of("their build in " + folder + " ended with " + output.exit() + ", see above");
            }
        } catch (IOException e) {
            failure = Optional.of("their build failed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = Optional.of("their build was interrupted");
        }
    }

    @Override
    public Optional<String> absence() {
        if (tool().isEmpty()) {
            return Optional.of("there is no '" + build.get(0) + "' on the PATH, nor in " + usualPlace + "; install "
                    + language + " to have them compared");
        }
        return failure.isPresent() || Files.isExecutable(program)
                ? failure
                : Optional.of("there is no " + program + " yet");
    }

    Path program() {
        return program;
    }

    private Optional<Path> tool() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(Stream.of(path.split(File.pathSeparator, -1)).map(Path::of), Stream.of(usualPlace))
                .map(place -> place.resolve(build.get(0)))
                .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
                .findFirst();
    }
}

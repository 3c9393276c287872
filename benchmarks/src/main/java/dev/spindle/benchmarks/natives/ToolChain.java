// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.natives;

import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.benchmarks.compare.ForkedJvm;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The tool that builds the program of a language, in its folder of {@code benchmarks/native}. One thread uses it. */
final class ToolChain implements Contender.Requirement {
    static final ToolChain GO = new ToolChain(
            "Go",
            "go",
            Path.of("/usr/local/go/bin"),
            sources("go"),
            List.of("build", "-o", "target/spindle-native", "."),
            "target/spindle-native");

    static final ToolChain RUST = new ToolChain(
            "Rust",
            "cargo",
            Path.of(System.getenv().getOrDefault("HOME", ""), ".cargo", "bin"),
            sources("rust"),
            List.of("build", "--release"),
            "target/release/spindle-native");

    private final String language;
    private final String tool;
    private final Path usualPlace;
    private final Path folder;
    private final List<String> build;
    private final Path program;
    private Optional<String> failure = Optional.empty();
    private boolean prepared;

    /**
     * @param usualPlace the path of the tool if it is not on the PATH
     * @param folder the folder of the sources
     * @param build the arguments of the tool
     * @param program the path of the program that the tool builds, relative to the folder
     */
    ToolChain(String language, String tool, Path usualPlace, Path folder, List<String> build, String program) {
        this.language = language;
        this.tool = tool;
        this.usualPlace = usualPlace;
        this.folder = folder;
        this.build = build;
        this.program = folder.resolve(program);
    }

    /** Returns a folder of the project, located from the folder of the classes. */
    private static Path sources(String name) {
        return ForkedJvm.placeOf(ToolChain.class)
                .resolve("../../native")
                .resolve(name)
                .normalize();
    }

    /** Runs the tool, which builds the program if it is missing or older than its sources. */
    @Override
    public void prepare(PrintWriter console) {
        Optional<Path> found = tool();
        if (prepared || found.isEmpty()) {
            return;
        }
        prepared = true;
        List<String> command = new ArrayList<>(List.of(found.get().toString()));
        command.addAll(build);
        console.println("Building the contenders in " + language + ": " + String.join(" ", command));
        console.flush();
        try {
            failure = run(command, console);
        } catch (IOException e) {
            failure = Optional.of("their build failed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = Optional.of("their build was interrupted");
        }
    }

    private Optional<String> run(List<String> command, PrintWriter console) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(line -> console.println("  " + line));
            console.flush();
            int status = process.waitFor();
            return status == 0
                    ? Optional.empty()
                    : Optional.of("their build ended with " + status + ", see above; in " + folder + ": "
                            + String.join(" ", command));
        } finally {
            process.destroyForcibly();
        }
    }

    @Override
    public Optional<String> absence() {
        if (tool().isEmpty()) {
            return Optional.of("there is no '" + tool + "' on the PATH, nor in " + usualPlace + "; install " + language
                    + " to have them compared");
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
                .map(place -> place.resolve(tool))
                .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
                .findFirst();
    }
}

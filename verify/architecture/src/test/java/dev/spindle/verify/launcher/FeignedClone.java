// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.launcher;

import dev.spindle.verify.architecture.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A clone with the real launcher and empty modules, and a PATH with the few tools that the launcher may use. Its
 * {@code java} prints its arguments; its {@code mvn} records the run and creates the files of the real build.
 */
final class FeignedClone {
    private static final List<String> TOOLS =
            List.of("cat", "dirname", "find", "grep", "head", "mkdir", "mv", "readlink", "sed", "tee", "touch");

    private static final Path BASH = onThePath("bash");

    private final Path home;
    private final Path bin;
    private final Path root;

    FeignedClone(Path directory) throws IOException {
        home = directory;
        bin = Files.createDirectories(directory.resolve("bin"));
        root = Files.createDirectories(directory.resolve("a clone"));
        for (String tool : TOOLS) {
            tool(tool, "exec '" + onThePath(tool) + "' \"$@\"");
        }
        for (String module : List.of(
                "core",
                "messaging",
                "flow",
                "gateway",
                "kafka",
                "kafka-testkit",
                "observe",
                "examples",
                "demo",
                "demo/gateway",
                "demo/kafka",
                "benchmarks",
                "benchmarks/gateway",
                "benchmarks/kafka",
                "verify/torture")) {
            Files.createDirectories(root.resolve(module).resolve("src/main/java"));
            write(root.resolve(module).resolve("pom.xml"), "<project/>");
        }
        write(root.resolve("pom.xml"), "<project/>");
        Files.copy(
                Repository.here().root().resolve("spindle"),
                root.resolve("spindle"),
                StandardCopyOption.COPY_ATTRIBUTES);
        java("17.0.15");
        tool("javac", "exit 0");
        maven(build("demo", root.resolve("pom.xml")));
    }

    /** The files and the output of the build of a module. */
    static String build(String module, Path library) {
        String target = module + "/target";
        return "mkdir -p " + target + "/classes; printf '%s' '" + library + "' > " + target + "/launcher.classpath; "
                + "echo '[INFO] Building Spindle Core 0.1.0 [1/2]'";
    }

    Path root() {
        return root;
    }

    void java(String version) throws IOException {
        tool(
                "java",
                "if [ \"$1\" = -version ]; then echo 'openjdk version \"" + version + "\" 2025-04-15' >&2; exit; fi",
                "printf '<%s>' \"$@\"");
    }

    void maven(String... lines) throws IOException {
        List<String> all = new ArrayList<>(List.of("echo \"$@\" >> maven.runs"));
        all.addAll(List.of(lines));
        tool("mvn", all.toArray(String[]::new));
    }

    void remove(String tool) throws IOException {
        Files.delete(bin.resolve(tool));
    }

    /** Returns the arguments of each run of Maven. */
    List<String> mavenRuns() throws IOException {
        Path runs = root.resolve("maven.runs");
        return Files.exists(runs) ? Files.readAllLines(runs) : List.of();
    }

    /** Writes a file with a time after the build, at any resolution of the file system's clock. */
    void edit(String file) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        write(path, "changed");
        Files.setLastModifiedTime(path, FileTime.from(Instant.now().plusSeconds(60)));
    }

    Result run(String... arguments) throws IOException, InterruptedException {
        return run(root.resolve("spindle"), root, Map.of(), arguments);
    }

    Result run(Path launcher, Path directory, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(BASH.toString(), launcher.toString()));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(home, "run", ".out");
        Path err = Files.createTempFile(home, "run", ".err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", bin.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("the launcher did not end: " + Files.readString(err));
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private void tool(String name, String... lines) throws IOException {
        Path file = bin.resolve(name);
        write(file, "#!" + BASH + "\nset -e\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void write(Path file, String text) throws IOException {
        Files.write(
                file,
                text.getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
    }

    private static Path onThePath(String tool) {
        for (String directory :
                System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(":", -1)) {
            Path file = Path.of(directory, tool);
            if (Files.isExecutable(file)) {
                return file;
            }
        }
        throw new IllegalStateException("no " + tool + " on the PATH");
    }

    /** The exit status and the output of a run of the launcher. */
    record Result(int status, String out, String err) {}
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.kafka;

import dev.spindle.benchmarks.compare.Contender;
import dev.spindle.kafka.testkit.KafkaBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The broker of a run, which all forks use. The command starts it before the first fork, and leaves its address in a
 * file whose name has the process id of the command, the parent of the forks.
 */
final class SharedBroker implements Contender.Requirement {
    static final SharedBroker INSTANCE = new SharedBroker();

    private static final int HEAP_MEGABYTES = 1_024;

    private @Nullable KafkaBroker broker;

    private SharedBroker() {}

    @Override
    public Optional<String> absence() {
        return Optional.empty();
    }

    @Override
    public void prepare(PrintWriter console) {
        if (broker != null) {
            return;
        }
        console.println("Starting a broker.");
        console.flush();
        KafkaBroker started = KafkaBroker.builder()
                .heap(HEAP_MEGABYTES)
                .jvmArguments("-XX:+UseParallelGC")
                .start();
        broker = started;
        Path file = addressFile(ProcessHandle.current());
        try {
            Files.writeString(file, started.bootstrap());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        file.toFile().deleteOnExit();
        Runtime.getRuntime().addShutdownHook(new Thread(started::close));
    }

    private static Path addressFile(ProcessHandle command) {
        return Path.of(
                Objects.requireNonNull(System.getProperty("java.io.tmpdir")), "spindle-bench-kafka-" + command.pid());
    }

    /** Returns the address of the broker, in a fork. */
    static String address() {
        ProcessHandle command = ProcessHandle.current().parent().orElseThrow();
        try {
            return Files.readString(addressFile(command));
        } catch (IOException e) {
            throw new UncheckedIOException("no broker: a fork runs below ./spindle bench kafka", e);
        }
    }
}

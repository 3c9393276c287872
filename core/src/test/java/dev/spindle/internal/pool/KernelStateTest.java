// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.pool;

import static dev.spindle.TestSupport.until;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.pool.KernelState.Activity;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelStateTest {
    private final byte[] line = new byte[KernelState.BUFFER_SIZE];

    @ParameterizedTest
    @CsvSource({
        "'7 (java) R 1 7', RUNS",
        "'7 (java) S 1 7', WAITS",
        "'7 (java) D 1 7', WAITS",
        "'7 (java) t 1 7', UNKNOWN",
        "'7 (java) Z 1 7', UNKNOWN",
        "'4194303 (S) R (S) R) S 1 7', WAITS",
        "'7 () ) S) R 1 7', RUNS",
        "'7 (java) ', UNKNOWN",
        "'7 (java', UNKNOWN",
        "'', UNKNOWN"
    })
    void parse_aLine_isTheLetterAfterTheName(String text, Activity expected) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThat(KernelState.parse(bytes, bytes.length)).isEqualTo(expected);
    }

    @Test
    void parse_nothingRead_isUnknown() {
        assertThat(KernelState.parse(line, -1)).isEqualTo(Activity.UNKNOWN);
    }

    /**
     * Simulates a thread that the JVM stops for a garbage collection until the reader returns from its first read.
     */
    @Test
    void read_asleepInTheFirstReadOnly_runs(@TempDir Path folder) throws IOException {
        String letters = "SRSSR";
        RandomAccessFile file = new RandomAccessFile(folder.resolve("stat").toFile(), "rw") {
            private int next;

            @Override
            public int read(byte[] into) {
                byte[] bytes = ("7 (java) " + letters.charAt(next++) + " 1").getBytes(StandardCharsets.UTF_8);
                System.arraycopy(bytes, 0, into, 0, bytes.length);
                return bytes.length;
            }
        };
        KernelState state = new KernelState(file);
        assertThat(state.read(line)).as("held, then back").isEqualTo(Activity.RUNS);
        assertThat(state.read(line)).as("asleep in both").isEqualTo(Activity.WAITS);
        assertThat(state.read(line)).as("at work in the first").isEqualTo(Activity.RUNS);
        state.close();
    }

    /** Runs {@code body} on a new thread, and returns the state of that thread. */
    private static KernelState in(Runnable body) {
        CompletableFuture<@Nullable KernelState> state = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            state.complete(KernelState.ofCurrentThread());
            body.run();
        });
        thread.setName("a ) S name"); // as Linux shows it
        thread.setDaemon(true);
        thread.start();
        return requireNonNull(state.join());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void read_aThreadThatComputesParksOrEnds_isWhatItDoes() {
        AtomicBoolean computes = new AtomicBoolean(true);
        CountDownLatch end = new CountDownLatch(1);
        KernelState state = in(() -> {
            while (computes.get()) {
                Thread.onSpinWait();
            }
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        for (int i = 0; i < 100; i++) {
            until(() -> state.read(line) == Activity.RUNS);
        }
        computes.set(false);
        until(() -> state.read(line) == Activity.WAITS);
        end.countDown();
        until(() -> state.read(line) == Activity.UNKNOWN);
        state.close();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void read_aThreadThatReadsASocket_waits() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                Socket other = server.accept()) {
            Future<Integer> read =
                    new FutureTask<>(() -> client.getInputStream().read());
            KernelState state = in((Runnable) read);
            until(() -> state.read(line) == Activity.WAITS);
            other.getOutputStream().write(1);
            until(read::isDone);
            state.close();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void read_closedOrByAnInterruptedThread_harmsNobody() {
        KernelState state = in(() -> {});
        Thread.currentThread().interrupt();
        try {
            state.read(line);
            until(() -> state.read(line) == Activity.UNKNOWN);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        state.close();
        assertThat(state.read(line)).isEqualTo(Activity.UNKNOWN);
        state.close();
    }
}

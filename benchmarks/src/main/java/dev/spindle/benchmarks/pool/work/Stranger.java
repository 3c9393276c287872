// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.pool.work;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** A process that computes until it is ended, or its parent is gone. */
final class Stranger {
    /** A shell looks for its parent after some milliseconds of counting: nobody is left busy when a fork is killed. */
    private static final String LOOP =
            "while kill -0 $PPID 2>/dev/null; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; done";

    private final Process process;

    Stranger() {
        try {
            process = new ProcessBuilder("sh", "-c", LOOP)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("no busy process can be started with sh", e);
        }
    }

    /** Ends it; returns the processor time that it took, in nanoseconds. */
    long end() {
        long nanos = process.toHandle()
                .info()
                .totalCpuDuration()
                .orElse(Duration.ZERO)
                .toNanos();
        process.destroyForcibly();
        return nanos;
    }
}

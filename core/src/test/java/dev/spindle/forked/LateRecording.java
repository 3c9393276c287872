// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.forked;

import dev.spindle.Spindle;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/** A program that starts a flight recording when its spindle has worked before and is idle. */
public final class LateRecording {
    private LateRecording() {}

    /**
     * Records the runs of two tasks to the file {@code args[0]}. With a second argument, the recording starts after the
     * process was prepared.
     */
    public static void main(String[] args) throws Exception {
        try (Spindle spindle =
                Spindle.builder().name("late").coreThreads(1).maxThreads(1).build()) {
            spindle.submit(() -> {}).get();
            int wakeUps = args.length == 1 ? 1 : 2; // the second is for the preparation
            while (spindle.stats().wakeUps() < wakeUps || spindle.stats().idleThreads() == 0) {
                Thread.onSpinWait();
            }
            if (FlightRecorder.isInitialized()) {
                throw new AssertionError("the spindle has set up the recorder");
            }
            try (Recording recording = new Recording()) {
                recording.enable("dev.spindle.TaskRun").withoutThreshold();
                recording.start();
                spindle.submit(() -> {}).get();
                spindle.keyed("keys").submit("key", () -> {}).get();
                spindle.shutdown();
                boolean unused = spindle.awaitTermination(20, TimeUnit.SECONDS);
                recording.stop();
                recording.dump(Path.of(args[0]));
            }
        }
    }
}

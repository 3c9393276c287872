// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.drive;

/** Looks twenty times a second how many threads a process has, and keeps the most. */
final class ThreadPeak implements AutoCloseable {
    private static final int PERIOD_MILLIS = 50;

    private final Thread looking;
    private volatile int most;

    ThreadPeak(long pid) {
        looking = new Thread(
                () -> {
                    try {
                        while (!Thread.currentThread().isInterrupted()) {
                            most = Math.max(most, ProcessUsage.of(pid).threads());
                            Thread.sleep(PERIOD_MILLIS);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "thread-peak");
        looking.setDaemon(true);
        looking.start();
    }

    int most() {
        return most;
    }

    @Override
    public void close() {
        looking.interrupt();
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The lines of the gateway's log that contain a word, while this object is open. */
final class OperationLog extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("dev.spindle.gateway");
    private final String word;
    final List<String> lines = new CopyOnWriteArrayList<>();

    OperationLog(String word) {
        this.word = word;
        logger.addHandler(this);
    }

    @Override
    public void publish(@Nullable LogRecord line) {
        String text = line == null ? "" : String.valueOf(line.getMessage());
        if (text.contains(word)) {
            lines.add(text);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }

    void await(String text) {
        while (lines.stream().noneMatch(line -> line.contains(text))) {
            LockSupport.parkNanos(5_000_000);
        }
    }
}

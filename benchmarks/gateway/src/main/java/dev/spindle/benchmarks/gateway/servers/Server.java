// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.util.List;

/** A server, started by the main class of its process. */
interface Server {
    /** Starts, and returns the ports of 127.0.0.1 that it listens to. */
    List<Integer> start() throws Exception;

    /** Returns the number of failed requests that its answers do not show. */
    default long failed() {
        return 0;
    }

    /** Answers a line from the process that started it. */
    default String answer(String line) {
        return "unknown: " + line;
    }
}

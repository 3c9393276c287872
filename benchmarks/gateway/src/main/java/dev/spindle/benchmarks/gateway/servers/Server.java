// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.util.List;

/** A server that {@link ServerMain} runs. */
interface Server {
    /** Starts the server, and returns the ports that it listens on. */
    List<Integer> start() throws Exception;

    /** Returns the number of failed requests that the load generator counts as answered. */
    default long failed() {
        return 0;
    }

    /** Executes a command from the parent process and returns the answer. */
    default String answer(String line) {
        return "unknown: " + line;
    }
}

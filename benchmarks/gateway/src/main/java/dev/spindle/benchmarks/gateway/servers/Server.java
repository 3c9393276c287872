// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.util.List;

/** A server that {@link ServerMain} runs. */
interface Server {
    /** Starts the server, and returns the ports that it listens on. */
    List<Integer> start() throws Exception;

    /** Executes a command from the parent process. {@code failed} returns the failed requests that seem answered. */
    default String answer(String line) {
        return "0";
    }
}

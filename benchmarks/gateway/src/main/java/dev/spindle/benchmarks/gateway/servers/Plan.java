// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The arguments of a gateway.
 *
 * @param backends the ports of the echo server
 * @param connections the maximum number of connected clients
 */
public record Plan(List<Integer> backends, int connections, Guard guard) {
    /** The time limit of a guarded call, which no cell comes near. */
    static final long LIMIT_MILLIS = 10_000;

    /** The backlog of a listening socket; the kernel reduces it to its own maximum. */
    static final int BACKLOG = 4_096;

    /** The protection or the additional work of a gateway. */
    public enum Guard {
        NONE,
        /** Each call has a time limit, a bulkhead and a breaker. */
        CALLS,
        /** A limit of requests at once that the gateway learns; requests above it are refused. */
        REQUESTS,
        /**
         * The requests of a connection are served one after another: each passes through the pool and returns to its
         * loop.
         */
        ORDER
    }

    public Plan {
        backends = List.copyOf(backends);
    }

    /** Returns arguments that {@link #parse} understands. */
    public List<String> arguments() {
        String ports = backends.stream().map(String::valueOf).collect(Collectors.joining(","));
        return List.of(ports, Integer.toString(connections), guard.name());
    }

    static Plan parse(List<String> arguments) {
        List<Integer> ports = Arrays.stream(arguments.get(0).split(",", -1))
                .map(Integer::valueOf)
                .toList();
        return new Plan(ports, Integer.parseInt(arguments.get(1)), Guard.valueOf(arguments.get(2)));
    }

    /** Returns the maximum number of concurrent calls of one backend. */
    int callsAtOnce() {
        return connections + 50;
    }
}

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
    /** The plan of a server without backends. */
    public static final Plan NONE = new Plan(List.of(), 0, Guard.NONE);

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
    List<String> arguments() {
        String ports = backends.stream().map(String::valueOf).collect(Collectors.joining(","));
        return List.of(ports, Integer.toString(connections), guard.name());
    }

    static Plan parse(List<String> arguments) {
        return new Plan(ports(arguments.get(0)), Integer.parseInt(arguments.get(1)), Guard.valueOf(arguments.get(2)));
    }

    /** Returns the ports of a list with commas between them. */
    public static List<Integer> ports(String list) {
        return list.isEmpty()
                ? List.of()
                : Arrays.stream(list.split(",", -1)).map(Integer::valueOf).toList();
    }

    /** Returns the maximum number of concurrent calls of one backend. */
    int callsAtOnce() {
        return connections + 50;
    }
}

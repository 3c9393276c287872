// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The arguments of a gateway's process.
 *
 * @param backends the ports of the echo server
 * @param connections the maximum number of client connections
 */
public record Plan(List<Integer> backends, int connections, Guard guard) {
    public static final Plan NONE = new Plan(List.of(), 0, Guard.NONE);

    /** The time limit of a guarded call, which is far longer than any delay of a cell. */
    static final long LIMIT_MILLIS = 10_000;

    /** The backlog of a listening socket; the kernel may use a smaller one. */
    static final int BACKLOG = 4_096;

    /** The protection or ordering that a gateway adds. */
    public enum Guard {
        NONE,
        /** Each call has a time limit, a bulkhead and a breaker. */
        CALLS,
        /** The gateway adapts its limit of concurrent requests, and refuses requests above the limit. */
        REQUESTS,
        /**
         * The requests of a connection are served one after another, on the gateway's pool instead of the event loop.
         */
        ORDER
    }

    public Plan {
        backends = List.copyOf(backends);
    }

    List<String> arguments() {
        String ports = backends.stream().map(String::valueOf).collect(Collectors.joining(","));
        return List.of(ports, Integer.toString(connections), guard.name());
    }

    static Plan parse(List<String> arguments) {
        return new Plan(ports(arguments.get(0)), Integer.parseInt(arguments.get(1)), Guard.valueOf(arguments.get(2)));
    }

    public static List<Integer> ports(String list) {
        return list.isEmpty()
                ? List.of()
                : Arrays.stream(list.split(",", -1)).map(Integer::valueOf).toList();
    }

    int callsAtOnce() {
        return connections + 50;
    }
}

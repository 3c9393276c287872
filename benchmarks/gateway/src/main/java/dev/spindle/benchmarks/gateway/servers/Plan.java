// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a gateway is started with.
 *
 * @param backends the ports of the echo server
 * @param connections how many clients will be connected at most
 */
public record Plan(List<Integer> backends, int connections, Guard guard) {
    /** The time limit of a guarded call: none of the cells comes near. */
    static final long LIMIT_MILLIS = 10_000;

    /** More waiting connections than the kernel allows are cut down to what it does. */
    static final int BACKLOG = 4_096;

    /** What protects a gateway, or what is behind it; or what it does besides. */
    public enum Guard {
        NONE,
        /** Each call has a time limit, a bulkhead and a breaker. */
        CALLS,
        /** So many requests at once as the gateway finds that it can serve; others are refused. */
        REQUESTS,
        /** The requests of a connection go one after another: each passes the pool, and comes back to its loop. */
        ORDER,
        /** Its loop asks the kernel again and again, and never sleeps. */
        SPIN
    }

    public Plan {
        backends = List.copyOf(backends);
    }

    /** Arguments that {@link #parse} understands. */
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

    /** As many calls of one backend at once as there can be requests. */
    int callsAtOnce() {
        return connections + 50;
    }
}

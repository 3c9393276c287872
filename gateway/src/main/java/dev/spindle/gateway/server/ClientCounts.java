// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The numbers of requests under way by the address of their client, and their limit. Any thread may call any method. An
 * address without a request takes no memory.
 */
final class ClientCounts {
    private final int most;
    private final ConcurrentMap<String, Integer> counts = new ConcurrentHashMap<>();

    /**
     * Creates counts of zero.
     *
     * @param most the maximum number of requests of one client; 0 for no limit, and then nothing is counted
     */
    ClientCounts(int most) {
        this.most = most;
    }

    /** Counts a request. Returns false, without counting it, if it exceeds the limit. */
    boolean take(String client) {
        if (most == 0) {
            return true;
        }
        boolean[] taken = {false};
        Integer unused = counts.compute(client, (key, count) -> {
            taken[0] = count == null || count < most;
            return count == null ? Integer.valueOf(1) : taken[0] ? Integer.valueOf(count + 1) : count;
        });
        return taken[0];
    }

    /** Removes a request from the count. */
    void give(String client) {
        if (most > 0) {
            Integer unused = counts.computeIfPresent(client, (key, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Returns the number of clients with requests under way. */
    int size() {
        return counts.size();
    }
}

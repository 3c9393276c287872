// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.log;

import dev.spindle.Strand;
import dev.spindle.StrandGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The append path of a replicated log, as Raft has it: many logs on few strands. Each replica of each log is at home on
 * one strand of a group; all that touches it runs there, so it is plain fields without a lock.
 *
 * <pre>
 *  client -> leader: append -> followers: append -> leader: acknowledged, committed by two of three -> client
 * </pre>
 */
final class ReplicatedLog {
    private static final int FOLLOWERS = 2;

    private final Leader leader;
    private final List<Follower> followers = new ArrayList<>();

    /** Puts the three replicas of log number {@code number} on neighbouring strands. */
    ReplicatedLog(StrandGroup strands, int number) {
        leader = new Leader(strands.at(number));
        for (int i = 1; i <= FOLLOWERS; i++) {
            followers.add(new Follower(strands.at(number + i)));
        }
    }

    /** Appends an entry; completes with its index when it is committed. May be called by any thread. */
    CompletableFuture<Integer> append(String entry) {
        CompletableFuture<Integer> committed = new CompletableFuture<>();
        leader.home.execute(() -> leader.append(entry, committed));
        return committed;
    }

    /** Returns what is wrong when all appends have ended, or an empty text. */
    String check() {
        if (leader.committed != leader.entries.size()) {
            return leader.committed + " of " + leader.entries.size() + " entries are committed";
        }
        for (Follower follower : followers) {
            if (!follower.entries.equals(leader.entries)) {
                return "a follower has another log than its leader";
            }
        }
        return "";
    }

    /** Decides about the order, and knows what is safe. */
    private final class Leader {
        private final Strand home;
        private final List<String> entries = new ArrayList<>();
        private final Deque<CompletableFuture<Integer>> waiting = new ArrayDeque<>();
        private final int[] acknowledged = new int[FOLLOWERS];
        private int committed;

        Leader(Strand home) {
            this.home = home;
        }

        private void append(String entry, CompletableFuture<Integer> done) {
            int index = entries.size();
            entries.add(entry);
            waiting.add(done);
            for (int i = 0; i < FOLLOWERS; i++) {
                int number = i;
                Follower follower = followers.get(i);
                // Tasks of one strand's turns come to another strand in their order: no index is ever missing there.
                follower.home.execute(() -> {
                    follower.append(index, entry);
                    home.execute(() -> acknowledged(number, index));
                });
            }
        }

        private void acknowledged(int follower, int index) {
            acknowledged[follower] = index + 1;
            int safe = Math.max(acknowledged[0], acknowledged[1]); // with the leader's own, two of three
            while (committed < safe) {
                waiting.remove().complete(committed++);
            }
        }
    }

    /** Appends what it is told. */
    private static final class Follower {
        private final Strand home;
        private final List<String> entries = new ArrayList<>();

        Follower(Strand home) {
            this.home = home;
        }

        private void append(int index, String entry) {
            if (index != entries.size()) {
                throw new IllegalStateException("entry " + index + " came to a log of " + entries.size());
            }
            entries.add(entry);
        }
    }
}

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
 * The append path of a replicated log as in Raft, with many logs on a few strands. All code of a replica runs on one
 * strand, so its state is in plain fields without a lock.
 *
 * <pre>
 *  client -> leader: append -> followers: append -> leader: acknowledged, committed by two of three -> client
 * </pre>
 */
final class ReplicatedLog {
    private static final int FOLLOWERS = 2;

    private final Leader leader;
    private final List<Follower> followers = new ArrayList<>();

    /** Creates a leader and two followers, on consecutive strands of the group. */
    ReplicatedLog(StrandGroup strands, int number) {
        leader = new Leader(strands.at(number));
        for (int i = 1; i <= FOLLOWERS; i++) {
            followers.add(new Follower(strands.at(number + i)));
        }
    }

    /**
     * Appends an entry, and returns a future that completes with the entry's index after the commit. Any thread may
     * call this method.
     */
    CompletableFuture<Integer> append(String entry) {
        CompletableFuture<Integer> committed = new CompletableFuture<>();
        leader.home.execute(() -> leader.append(entry, committed));
        return committed;
    }

    /** Returns a description of a fault, or an empty string, after all appends have completed. */
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

    /** The replica that defines the order of the entries and commits them. */
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
                // The tasks that one strand submits to another run in order of submission, so no index is missing in
                // the follower.
                follower.home.execute(() -> {
                    follower.append(index, entry);
                    home.execute(() -> acknowledged(number, index));
                });
            }
        }

        private void acknowledged(int follower, int index) {
            acknowledged[follower] = index + 1;
            int safe = Math.max(acknowledged[0], acknowledged[1]); // a majority: the leader and one follower
            while (committed < safe) {
                waiting.remove().complete(committed++);
            }
        }
    }

    /** A replica that appends the leader's entries. */
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

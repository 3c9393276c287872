// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.util.Optional;

/**
 * Who takes part.
 *
 * @param id what {@code --contenders} calls it
 * @param title what the report calls it
 * @param oldestJava the oldest Java that it runs on; 0 for any
 */
public record Contender(String id, String title, Family family, int oldestJava) {
    public enum Family {
        /** The same work without any hand-over. */
        LIMIT,
        OURS,
        PEER,
        /** Compared with by name, and no peer. */
        REFERENCE
    }

    public static Contender limit(String id, String title) {
        return new Contender(id, title, Family.LIMIT, 0);
    }

    public static Contender ours(String id, String title) {
        return new Contender(id, title, Family.OURS, 0);
    }

    public static Contender peer(String id, String title) {
        return new Contender(id, title, Family.PEER, 0);
    }

    /** The same, for a contender that an older Java cannot run. */
    public Contender since(int java) {
        return new Contender(id, title, family, java);
    }

    /** Why it cannot take part on this JVM; empty when it can. */
    public Optional<String> absence() {
        int java = Runtime.version().feature();
        return java >= oldestJava
                ? Optional.empty()
                : Optional.of("it needs Java " + oldestJava + ", this is Java " + java
                        + "; set JAVA_HOME to a newer one to have it compared");
    }

    @Override
    public String toString() {
        return id;
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.PrintWriter;
import java.util.Optional;

/**
 * A library, or one way of using it, that takes part in cells.
 *
 * @param id its name in {@code --contenders}
 * @param title its name in the report
 * @param oldestJava the oldest Java version that it runs on; 0 for any
 * @param requirement the requirement besides Java
 */
public record Contender(String id, String title, Family family, int oldestJava, Requirement requirement) {
    private static final Requirement NOTHING = Optional::empty;

    public enum Family {
        /** The limit: the same work without any hand-over. */
        LIMIT,
        OURS,
        PEER,
        /** A contender that is compared by name and does not count as a peer. */
        REFERENCE
    }

    /**
     * A requirement of some contenders besides the class path. Contenders with the same requirement share one object.
     */
    public interface Requirement {
        /** Returns the reason for which it is not met; empty if it is met. */
        Optional<String> absence();

        /** Prepares the requirement, once before the forks, and tells the console if that takes long. */
        default void prepare(PrintWriter console) {}
    }

    public static Contender limit(String id, String title) {
        return new Contender(id, title, Family.LIMIT, 0, NOTHING);
    }

    public static Contender ours(String id, String title) {
        return new Contender(id, title, Family.OURS, 0, NOTHING);
    }

    public static Contender peer(String id, String title) {
        return new Contender(id, title, Family.PEER, 0, NOTHING);
    }

    public static Contender reference(String id, String title) {
        return new Contender(id, title, Family.REFERENCE, 0, NOTHING);
    }

    /** Returns this contender with an oldest Java version. */
    public Contender since(int java) {
        return new Contender(id, title, family, java, requirement);
    }

    /** Returns this contender with a requirement. */
    public Contender needing(Requirement needed) {
        return new Contender(id, title, family, oldestJava, needed);
    }

    /** Returns the reason for which it cannot take part on this machine; empty if it can. */
    public Optional<String> absence() {
        int java = Runtime.version().feature();
        return java >= oldestJava
                ? requirement.absence()
                : Optional.of("it needs Java " + oldestJava + ", this is Java " + java
                        + "; set JAVA_HOME to a newer one to have it compared");
    }

    @Override
    public String toString() {
        return id;
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.PrintWriter;
import java.util.Optional;

/**
 * A library, or one way to use a library, that is measured in cells.
 *
 * @param id the name in {@code --contenders}
 * @param title the name in the report
 * @param oldestJava the lowest Java version with which the contender runs; 0 for any
 * @param requirement a condition other than the Java version
 */
public record Contender(String id, String title, Family family, int oldestJava, Requirement requirement) {
    private static final Requirement NOTHING = Optional::empty;

    public enum Family {
        /** The same work without any hand-over, which is the limit. */
        LIMIT,
        OURS,
        PEER,
        /** A contender that goals may name, but that is never the best peer. */
        REFERENCE
    }

    /**
     * A condition that a machine must meet for a contender to run. Contenders with the same condition share one
     * instance, which is prepared once.
     */
    public interface Requirement {
        /** Returns the reason for which the condition is not met, or empty if it is met. */
        Optional<String> absence();

        /** Prepares the condition before the first fork, and prints a message if the preparation takes long. */
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

    public Contender since(int java) {
        return new Contender(id, title, family, java, requirement);
    }

    public Contender needing(Requirement needed) {
        return new Contender(id, title, family, oldestJava, needed);
    }

    /** Returns the reason for which this machine cannot run the contender, or empty if the machine can. */
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

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.PrintWriter;
import java.util.Optional;

/**
 * A library, or a way to use one, that takes part in cells.
 *
 * @param id its name in {@code --contenders}
 * @param title its name in the report
 * @param oldestJava the oldest Java that it runs on; 0 for any
 * @param requirement what it needs besides Java
 */
public record Contender(String id, String title, Family family, int oldestJava, Requirement requirement) {
    private static final Requirement NOTHING = Optional::empty;

    public enum Family {
        /** The same work without any hand-over. */
        LIMIT,
        OURS,
        PEER,
        /** Compared by name, and no peer. */
        REFERENCE
    }

    /** A need of some contenders besides the class path: one object for all with the same need. */
    public interface Requirement {
        /** Returns why it is not there; empty if it is. */
        Optional<String> absence();

        /** Makes it, once before the forks, if it has to be made; tells the console if that takes long. */
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

    /** Returns the same, for a contender that an older Java cannot run. */
    public Contender since(int java) {
        return new Contender(id, title, family, java, requirement);
    }

    /** Returns the same, for a contender that needs something. */
    public Contender needing(Requirement needed) {
        return new Contender(id, title, family, oldestJava, needed);
    }

    /** Returns why it cannot take part on this machine; empty if it can. */
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

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.compare;

import java.io.PrintWriter;
import java.util.Optional;

/**
 * Who takes part.
 *
 * @param id what {@code --contenders} calls it
 * @param title what the report calls it
 * @param oldestJava the oldest Java that it runs on; 0 for any
 * @param requirement what it needs beside Java
 */
public record Contender(String id, String title, Family family, int oldestJava, Requirement requirement) {
    private static final Requirement NOTHING = Optional::empty;

    public enum Family {
        /** The same work without any hand-over. */
        LIMIT,
        OURS,
        PEER,
        /** Compared with by name, and no peer. */
        REFERENCE
    }

    /** What some contenders need beside the class path. One and the same object for all that need the same. */
    public interface Requirement {
        /** Why it is not there; empty when it is. */
        Optional<String> absence();

        /** Makes it, once before the forks, where it has to be made; says so if that takes long. */
        default void prepare(PrintWriter console) {}
    }

    public Contender(String id, String title, Family family, int oldestJava) {
        this(id, title, family, oldestJava, NOTHING);
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
        return new Contender(id, title, family, java, requirement);
    }

    /** The same, for a contender that needs something. */
    public Contender needing(Requirement needed) {
        return new Contender(id, title, family, oldestJava, needed);
    }

    /** Why it cannot take part here; empty when it can. */
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

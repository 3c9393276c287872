// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture.steps;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A kind of step, which is counted by the instructions that take it. */
public enum Step {
    /** A call of a method or constructor of the library. */
    CALL(0),
    /** A read-modify-write, or a full fence. */
    ATOMIC(1),
    /** Another access through a VarHandle. */
    HANDLE(2),
    /** A reading of a clock. */
    CLOCK(3),
    /** A look-up of the calling thread, or of a value of a thread-local variable. */
    THREAD(4),
    /** An object or array. */
    OBJECT(5);

    private static final Set<String> PLAIN = Set.of(
            "get",
            "getPlain",
            "getOpaque",
            "getAcquire",
            "set",
            "setPlain",
            "setOpaque",
            "setRelease",
            "lazySet",
            "intValue",
            "longValue",
            "length",
            "getVolatile",
            "setVolatile",
            "acquireFence",
            "releaseFence",
            "storeStoreFence");

    /** The place of this step among the figures of a walk. */
    public final int index;

    Step(int index) {
        this.index = index;
    }

    /** Returns the step that a call of the method takes, or null if the method takes none of these. */
    static @Nullable Step ofCall(String owner, String name) {
        if (owner.equals("java/lang/invoke/VarHandle")) {
            return PLAIN.contains(name) ? HANDLE : ATOMIC;
        }
        if (owner.startsWith("java/util/concurrent/atomic/Atomic")) {
            return PLAIN.contains(name) || name.equals("<init>") ? null : ATOMIC;
        }
        return switch (owner + "." + name) {
            case "java/lang/System.nanoTime", "java/util/function/LongSupplier.getAsLong" -> CLOCK;
            case "java/lang/Thread.currentThread", "java/lang/ThreadLocal.get" -> THREAD;
            default -> null;
        };
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture.steps;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A kind of step, which is counted by the instructions that take it. */
public enum Step {
    /** A call of a method or constructor of the library. */
    CALL,
    /** A read-modify-write, or a full fence. */
    ATOMIC,
    /** Another access through a VarHandle. */
    HANDLE,
    /** A reading of a clock. */
    CLOCK,
    /** A look-up of the calling thread, or of a value of a thread-local variable. */
    THREAD,
    /** An object or array. */
    OBJECT;

    private static final Set<String> READS = Set.of(
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
            "length");

    /** Returns the step that a call of the method takes, or null if the method takes none of these. */
    static @Nullable Step ofCall(String owner, String name) {
        if (owner.equals("java/lang/invoke/VarHandle")) {
            return name.equals("acquireFence")
                            || name.equals("releaseFence")
                            || name.equals("storeStoreFence")
                            || READS.contains(name)
                            || name.equals("getVolatile")
                            || name.equals("setVolatile")
                    ? HANDLE
                    : ATOMIC;
        }
        if (owner.startsWith("java/util/concurrent/atomic/Atomic")) {
            return READS.contains(name) || name.equals("<init>") ? null : ATOMIC;
        }
        if (owner.equals("java/lang/System") && name.equals("nanoTime")
                || owner.equals("java/util/function/LongSupplier")) {
            return CLOCK;
        }
        if (owner.equals("java/lang/Thread") && name.equals("currentThread")
                || owner.equals("java/lang/ThreadLocal") && name.equals("get")) {
            return THREAD;
        }
        return null;
    }
}

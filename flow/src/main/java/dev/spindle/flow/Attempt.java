// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

/**
 * One attempt at a call: the first, a retry, or a hedge. It is passed to the {@link Call} and may be used by any
 * thread. After its end it keeps nothing of the call alive.
 */
public interface Attempt {
    /** Returns the number of this attempt in its call, from 0. */
    int number();

    /**
     * Returns the deadline of this attempt: that of the call, or the endpoint's limit if that is earlier.
     */
    Deadline deadline();

    /**
     * Makes this attempt the only attempt before its answer begins to reach the caller: the others are cancelled, and
     * no further retry or hedge begins. For answers that reach the caller in parts; an answer that is one
     * value needs no call of this method.
     *
     * @return false if this attempt has ended or another was committed: nothing of its answer may reach the caller
     */
    boolean commit();

    /**
     * Sets whether the backend is excused: whether the attempt waits for the caller, such as for the next piece of a
     * request or for room for the next piece of an answer. While the backend is excused, neither the time that passes
     * nor the end of the attempt counts for or against it; a deadline that passes afterwards counts only if the backend
     * had most of its time. Initially it is not excused. After the end of the attempt this has no effect.
     */
    void excuse(boolean excused);

    /**
     * Runs {@code action} when this attempt is cancelled, because its time is up or its answer is no longer needed;
     * at once if it has been cancelled, and never if the attempt ends by itself. The action runs once, in the thread
     * that cancels, and must not block. What it throws goes to that thread's uncaught-exception handler.
     */
    void onCancel(Runnable action);
}

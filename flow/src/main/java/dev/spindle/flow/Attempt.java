// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

/**
 * One attempt at a call: the first attempt, a retry, or a hedge. The endpoint passes the attempt to the {@link Call}.
 * Any thread may use the attempt. An attempt that has ended refers neither to the request nor to the answer.
 */
public interface Attempt {
    /** Returns the number of this attempt in its call, from 0. */
    int number();

    /**
     * Returns the deadline of this attempt: the deadline of the call, or the end of the attempt's timeout if that is
     * earlier.
     */
    Deadline deadline();

    /**
     * Makes this attempt the only attempt of its call: other attempts are cancelled, and no retry or hedge begins. An
     * attempt whose answer reaches the caller in parts calls this method before the first part. Other attempts need not
     * call it.
     *
     * @return false if this attempt has ended or another attempt was committed; the answer must then not reach the
     *     caller
     */
    boolean commit();

    /**
     * Sets whether the backend is excused. An attempt excuses the backend while it waits for the caller, for example
     * for the next part of a request, or for room for the next part of an answer. Initially the backend is not excused.
     * Has no effect after the end of the attempt.
     *
     * <p>The breaker and the limiter ignore the time for which the backend is excused, and an end of the attempt during
     * this time. If the time limit passes later, both count a failure only if the backend had three quarters of the
     * time that it may take.
     */
    void excuse(boolean excused);

    /**
     * Runs {@code action} when this attempt is cancelled, because its time is up or its answer is no longer needed. If
     * the attempt is already cancelled, {@code action} runs at once. If the attempt ends by itself, {@code action} does
     * not run. The action runs in the thread that cancels, and must not block. An exception of the action goes to the
     * uncaught-exception handler of the thread.
     */
    void onCancel(Runnable action);
}

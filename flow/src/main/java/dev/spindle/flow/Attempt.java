// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

/**
 * One attempt at a call: the first, a retry, or a hedge. Handed to the {@link Call}; may be used from any thread, and
 * keeps nothing of the call once that has ended.
 */
public interface Attempt {
    /** Returns which attempt of the call this is, from 0. */
    int number();

    /**
     * Returns by when this attempt has to be done: what is left for the call, or the endpoint's limit if that is
     * earlier.
     */
    Deadline deadline();

    /**
     * Says that the answer of this attempt begins to reach the caller, so that no other may. From now on there is
     * neither a retry nor a hedge, and what else is under way is cancelled. For answers that are handed on in parts; an
     * answer that is a value of its own needs no call of this method.
     *
     * @return false if this attempt has ended, or another one was faster: nothing of its answer may reach the caller
     */
    boolean commit();

    /**
     * Says whether the backend is excused: what the attempt waits for is up to the caller, the next piece of a request
     * for example, or room for the next piece of an answer. While it is, neither the time that passes nor the end of
     * the attempt counts for or against the backend; a deadline that passes afterwards counts only if the backend had
     * most of its time. At first it is not excused. After the end of the attempt this has no effect.
     */
    void excuse(boolean excused);

    /**
     * Runs {@code action} when this attempt is cancelled, because its time is up or nobody needs its answer; at once if
     * that has happened, and never if the attempt ends by itself. It runs in the thread that cancels, once, and must
     * not block. What it throws goes to that thread's uncaught-exception handler.
     */
    void onCancel(Runnable action);
}

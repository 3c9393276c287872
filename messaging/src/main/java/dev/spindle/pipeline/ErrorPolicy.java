// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

/**
 * The reaction of a stage to an exception of its handler. By default the stage {@linkplain #halt() halts} the pipeline,
 * so that no later stage sees an event that was handled in part.
 */
public final class ErrorPolicy {
    private static final ErrorPolicy HALT = new ErrorPolicy(0, true);
    private static final ErrorPolicy SKIP = new ErrorPolicy(0, false);

    final int retries;
    final boolean halts;

    private ErrorPolicy(int retries, boolean halts) {
        this.retries = retries;
        this.halts = halts;
    }

    /**
     * Returns a policy that halts the pipeline. Waiting and later publishers get an exception with the failure as its
     * cause.
     */
    public static ErrorPolicy halt() {
        return HALT;
    }

    /**
     * Returns a policy that reports the failure to the spindle's failure handler and makes the event void. The stages
     * that follow the failed stage, directly or indirectly, do not see the event. Other stages are not affected.
     */
    public static ErrorPolicy skip() {
        return SKIP;
    }

    /**
     * Returns a policy that calls the handler again, at once, with the same event. When all retries have failed, the
     * policy halts the pipeline, or skips the event if {@link #thenSkip} is added.
     *
     * @param times the maximum number of retries
     * @throws IllegalArgumentException if {@code times} is less than 1
     */
    public static ErrorPolicy retry(int times) {
        if (times < 1) {
            throw new IllegalArgumentException("retries must be at least 1, are " + times);
        }
        return new ErrorPolicy(times, true);
    }

    /** Returns a copy of this policy that {@linkplain #skip skips} the event when all retries have failed. */
    public ErrorPolicy thenSkip() {
        return new ErrorPolicy(retries, false);
    }

    /** Returns a string that describes the policy. */
    @Override
    public String toString() {
        String last = halts ? "halt" : "skip";
        return retries == 0 ? last : "retry(" + retries + ") then " + last;
    }
}

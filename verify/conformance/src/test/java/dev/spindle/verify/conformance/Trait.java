// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

/**
 * Where a kind of executor does less, or other, than the strictest reading of the JDK's interfaces. A test that meets a
 * trait either asserts what the trait says instead, or, where that cannot be seen for sure, is aborted with the trait's
 * name, so that reports show it.
 */
enum Trait {
    /** {@code shutdownNow} cancels what waits and returns an empty list, as {@code ForkJoinPool} documents. */
    SHUTDOWN_NOW_RETURNS_NOTHING,

    /**
     * {@code shutdownNow} returns objects of its own for tasks that were handed to {@code execute}; the interface
     * leaves it open.
     */
    SHUTDOWN_NOW_RETURNS_WRAPPERS,

    /** Futures of tasks that {@code shutdownNow} returns are never done; the interface says nothing about them. */
    SHUTDOWN_NOW_LEAVES_FUTURES_OPEN,

    /**
     * {@code cancel(true)} of a submitted task does not interrupt it, which {@code ForkJoinTask} documents and
     * {@code Future} leaves to the implementation.
     */
    CANCEL_NEVER_INTERRUPTS,

    /**
     * {@code cancel} of a task that ends just then may answer false and cancel the future all the same: a deviation
     * from the interface. {@code ForkJoinTask} does so since JDK 22: it adds the bits of a cancelled task to a status
     * that may have become a normal end since it looked, and answers by the status before.
     */
    REFUSED_CANCELS_TAKE_EFFECT,

    /** A task may begin with an interrupt that was left by, or meant for, the one before it. */
    INTERRUPTS_LEAK,

    /**
     * The cause of an {@code ExecutionException} is a copy or a wrapper, with the thrown one in its chain of causes.
     */
    CAUSES_ARE_WRAPPED,

    /**
     * {@code invokeAll} waits on when it is interrupted, and with a limit may return before all tasks have ended:
     * deviations from the interface.
     */
    INVOKE_ALL_IGNORES_INTERRUPTS,

    /**
     * {@code invokeAll} with the most negative limit waits for ever, which overflows: a deviation from the interface.
     */
    INVOKE_ALL_OVERFLOWS,

    /**
     * {@code invokeAny} waits on when {@code shutdownNow} has cancelled all its tasks; the interface does not speak of
     * it.
     */
    INVOKE_ANY_OUTWAITS_SHUTDOWN_NOW,

    /**
     * A task that {@code invokeAny} cancels while a thread is about to start it may run to its own end: a deviation
     * from the interface. {@code ForkJoinPool} before JDK 22 looks at the task's state, then enters the thread that a
     * cancel interrupts, and does not look again.
     */
    INVOKE_ANY_MISSES_STARTING_TASKS,

    /**
     * A task handed in just when one has thrown may run before those that wait: {@code ThreadPoolExecutor} gives it to
     * the new thread as its first.
     */
    FAILED_TASKS_LET_NEW_ONES_OVERTAKE,

    /** The executor's own tasks can hand in more after a shutdown: a deviation from the interface. */
    OWN_TASKS_SUBMIT_AFTER_SHUTDOWN,

    /**
     * {@code close} called by an own task waits for itself for ever. Others refuse the call with an
     * {@code IllegalStateException}.
     */
    CLOSE_BY_AN_OWN_TASK_HANGS,

    /**
     * A delayed task that was cancelled is kept until it would have been due, and so is the executor, as is documented.
     */
    CANCELLED_DELAYED_TASKS_HOLD_TERMINATION,

    /**
     * A shutdown that meets the first submits may lose accepted tasks, or never terminate: in
     * {@code ThreadPoolExecutor} a second producer can queue behind the first worker, which the shutdown then keeps
     * from being started.
     */
    COLD_SHUTDOWN_LOSES_TASKS,

    /**
     * A submit that meets a shutdown may be accepted and then cancelled, neither run nor returned, with threads running
     * or not.
     */
    SHUTDOWN_CANCELS_RACING_SUBMITS,

    /** Of delayed tasks that are due at nearly the same time any may come first, as is documented. */
    DUE_TASKS_MAY_SWAP
}

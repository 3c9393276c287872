// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

/**
 * A difference of a kind of executor from the strictest reading of the JDK's interfaces. A test that depends on a trait
 * asserts the behaviour of the trait instead, or, if that depends on timing, is aborted with the trait's name, so that
 * reports show it.
 */
enum Trait {
    /** {@code shutdownNow} cancels waiting tasks and returns an empty list, as {@code ForkJoinPool} documents. */
    SHUTDOWN_NOW_RETURNS_NOTHING,

    /**
     * {@code shutdownNow} returns objects of its own for tasks of {@code execute}, which the interface leaves open.
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
     * {@code cancel} of a task that ends at the same time may return false and cancel the future all the same: a
     * deviation from the interface. {@code ForkJoinTask} does so since JDK 22: it adds the bits of a cancelled task to
     * a status that may have become a normal end in between, and returns by the status before.
     */
    REFUSED_CANCELS_TAKE_EFFECT,

    /** A task may begin with an interrupt that was left by, or meant for, the one before it. */
    INTERRUPTS_LEAK,

    /**
     * The cause of an {@code ExecutionException} is a copy or a wrapper, with the thrown one in its chain of causes.
     */
    CAUSES_ARE_WRAPPED,

    /**
     * {@code invokeAll} continues to wait when it is interrupted, and with a limit may return before all tasks have
     * ended: deviations from the interface.
     */
    INVOKE_ALL_IGNORES_INTERRUPTS,

    /**
     * {@code invokeAll} with the most negative limit, which overflows, waits without end: a deviation from the
     * interface.
     */
    INVOKE_ALL_OVERFLOWS,

    /**
     * {@code invokeAny} continues to wait when {@code shutdownNow} has cancelled all its tasks, which the interface
     * leaves open.
     */
    INVOKE_ANY_OUTWAITS_SHUTDOWN_NOW,

    /**
     * A task that {@code invokeAny} cancels while a thread is about to start it may run to its end: a deviation from
     * the interface. {@code ForkJoinPool} before JDK 22 reads the task's state, then sets the thread that a cancel
     * interrupts, and does not read the state again.
     */
    INVOKE_ANY_MISSES_STARTING_TASKS,

    /**
     * A task that is submitted just when another has thrown may run before waiting tasks: {@code ThreadPoolExecutor}
     * gives it to the new thread as its first.
     */
    FAILED_TASKS_LET_NEW_ONES_OVERTAKE,

    /** The executor's own tasks can submit others after a shutdown: a deviation from the interface. */
    OWN_TASKS_SUBMIT_AFTER_SHUTDOWN,

    /**
     * {@code close} in a task of the executor waits for itself without end. Other kinds refuse the call with an
     * {@code IllegalStateException}.
     */
    CLOSE_BY_AN_OWN_TASK_HANGS,

    /**
     * A cancelled delayed task, and with it the executor, stays reachable until the task would be due, as documented.
     */
    CANCELLED_DELAYED_TASKS_HOLD_TERMINATION,

    /**
     * A shutdown that races with the first submits may lose accepted tasks, or never terminate: in
     * {@code ThreadPoolExecutor} a second producer can queue a task behind the first worker, whose start the shutdown
     * then prevents.
     */
    COLD_SHUTDOWN_LOSES_TASKS,

    /**
     * A submit that races with a shutdown may be accepted and then cancelled, neither run nor returned, with or without
     * running threads.
     */
    SHUTDOWN_CANCELS_RACING_SUBMITS,

    /** Delayed tasks that are due at nearly the same time run in any order, as documented. */
    DUE_TASKS_MAY_SWAP
}

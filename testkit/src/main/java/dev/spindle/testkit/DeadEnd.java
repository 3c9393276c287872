// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The diagnosis of a simulation whose tasks cannot continue. */
final class DeadEnd {
    private DeadEnd() {}

    /** Returns the last wait in {@code waits} that is a wait of a task, or null if there is none. */
    static @Nullable Wait newestTask(List<Wait> waits) {
        for (int i = waits.size() - 1; i >= 0; i--) {
            if (waits.get(i).task() != null) {
                return waits.get(i);
            }
        }
        return null;
    }

    /** Returns the last wait in {@code waits} that is part of a cycle of waiting tasks, or null if there is none. */
    static @Nullable Wait inCycle(List<Wait> waits) {
        for (int i = waits.size() - 1; i >= 0; i--) {
            Wait first = waits.get(i);
            Wait next = first;
            for (int hops = 0; next != null && hops < waits.size(); hops++) {
                next = next.task() == null ? null : waitOf(next.awaited(), waits);
                if (next == first) {
                    return first;
                }
            }
        }
        return null;
    }

    /** Returns the wait of the task that {@code party}, a lane or a thread, runs; null if there is none. */
    private static @Nullable Wait waitOf(@Nullable Object party, List<Wait> waits) {
        for (Wait wait : waits) {
            SimulatedThread task = wait.task();
            if (party != null && task != null && (task == party || task.party() == party)) {
                return wait;
            }
        }
        return null;
    }

    /** Returns the exception for a wait that can never end. */
    static IllegalStateException exception(String spindle, Wait wait, List<Wait> waits) {
        StringBuilder message = new StringBuilder("spindle " + spindle + " is simulated, and this wait would never"
                + " end: nothing is ready and no timer is set");
        for (Wait each : waits) {
            message.append(each == waits.get(0) ? "; " : ", ").append(describe(each, waits));
        }
        message.append(". Perhaps a lane is paused, an async task waits for a stage that nothing completes, or tasks"
                + " wait for each other");
        IllegalStateException exception = new IllegalStateException(message.toString());
        for (Wait each : waits) {
            SimulatedThread task = each.task();
            if (each != wait && task != null) {
                exception.addSuppressed(stack(task.describe() + " waits here", each.thread()));
            }
        }
        return exception;
    }

    private static String describe(Wait wait, List<Wait> waits) {
        SimulatedThread task = wait.task();
        String from = task == null ? "the test" : task.describe();
        Object party = wait.awaited();
        Wait of = waitOf(party, waits);
        SimulatedThread other = of == null ? null : of.task();
        String to = other != null ? other.describe() : party != null ? party.toString() : null;
        return from + (to == null ? " waits" : " waits for " + to);
    }

    private static Exception stack(String what, Thread thread) {
        Exception stack = new Exception(what);
        stack.setStackTrace(thread.getStackTrace());
        return stack;
    }

    // ---------------------------------------------------------------- locks

    /** Returns the id of the thread that holds the lock for which {@code stuck} waits; -1 if there is none. */
    static long holderOfLock(Thread stuck) {
        Thread.State state = stuck.getState();
        if (state != Thread.State.BLOCKED && state != Thread.State.WAITING) {
            return -1;
        }
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(stuck.getId());
        return info == null ? -1 : info.getLockOwnerId();
    }

    /** Returns the exception for the wait {@code holder}, whose thread holds a lock that {@code stuck} needs. */
    static IllegalStateException lockException(String spindle, Wait holder, Thread stuck) {
        String blocked = stuck instanceof SimulatedThread task ? task.describe() : "thread " + stuck.getName();
        SimulatedThread task = holder.task();
        IllegalStateException exception = new IllegalStateException("spindle " + spindle + " is simulated, and "
                + (task == null ? "the test" : task.describe()) + " waits while it holds a lock that " + blocked
                + " needs: tasks of a simulation run one at a time, so that one would never end. Wait without the"
                + " lock");
        exception.addSuppressed(stack(blocked + " is stuck here", stuck));
        return exception;
    }
}

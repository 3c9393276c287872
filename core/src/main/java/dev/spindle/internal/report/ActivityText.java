// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.report;

import dev.spindle.Activity;
import dev.spindle.WaitEdge;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Texts about an activity, each fit for logs and events. A throwable of user code, such as a key's, is caught. */
public final class ActivityText {
    /** The maximum number of characters of a name. Not measured. */
    public static final int MOST_NAME = 256;

    /** The maximum number of frames of a stack. Not measured. */
    private static final int MOST_FRAMES = 40;

    private ActivityText() {}

    /** Returns the name of the party. */
    public static String owner(Activity activity) {
        return Printable.of(activity::owner, MOST_NAME);
    }

    /** Returns the stack of the thread, a frame in a line; empty if there is no thread. */
    public static String stack(Activity activity) {
        StringBuilder text = new StringBuilder();
        try {
            List<StackTraceElement> frames = activity.stack();
            for (StackTraceElement frame : frames.subList(0, Math.min(MOST_FRAMES, frames.size()))) {
                text.append(text.length() == 0 ? "\tat " : System.lineSeparator() + "\tat ")
                        .append(frame);
            }
        } catch (Throwable t) { // a subclass of Thread may override getStackTrace
            return text.toString();
        }
        return text.toString();
    }

    /** Returns what {@code edge} or, if it is null, the thread waits for; null if neither waits. */
    public static @Nullable String waitsFor(@Nullable WaitEdge edge, @Nullable Thread thread) {
        if (edge != null) {
            return owner(edge.to()) + " (" + edge.kind() + ")" + (edge.isCyclic() ? ", in a cycle" : "");
        }
        try {
            Thread.State state = thread == null ? Thread.State.RUNNABLE : thread.getState();
            Object blocker = LockSupport.getBlocker(thread == null ? Thread.currentThread() : thread);
            if (thread == null || (state == Thread.State.RUNNABLE && blocker == null)) {
                return null;
            }
            return blocker == null
                    ? state.name()
                    : state + " on a " + blocker.getClass().getName();
        } catch (Throwable t) { // a subclass of Thread may override getState
            return null;
        }
    }

    /** Returns a duration in seconds, or, if it is shorter, in milliseconds. */
    public static String time(Duration time) {
        return time.toSeconds() > 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}

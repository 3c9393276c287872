// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.tools;

import dev.spindle.Spindle;
import java.util.Map;

/** Describes a pool that hangs: its statistics and the stacks of all threads of the process. */
public final class PoolState {
    private PoolState() {}

    /** Returns the description on several lines. */
    public static String of(Spindle spindle) {
        return spindle + System.lineSeparator() + spindle.stats() + System.lineSeparator() + threads();
    }

    private static String threads() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> one :
                Thread.getAllStackTraces().entrySet()) {
            Thread thread = one.getKey();
            text.append('"').append(thread.getName()).append("\" ").append(thread.getState());
            for (StackTraceElement frame : one.getValue()) {
                text.append(System.lineSeparator()).append("    at ").append(frame);
            }
            text.append(System.lineSeparator());
        }
        return text.toString();
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A task decorator that captures a value in the submitting thread, and restores it around the task. */
public interface TestDecorator extends UnaryOperator<Runnable> {
    /** Returns the value to capture. */
    @Nullable
    Object capture();

    /** Sets the captured value; the returned action sets the previous value again. */
    Runnable restore(@Nullable Object captured);

    @Override
    default Runnable apply(Runnable task) {
        Object captured = capture();
        return () -> {
            Runnable before = restore(captured);
            try {
                task.run();
            } finally {
                before.run();
            }
        };
    }
}

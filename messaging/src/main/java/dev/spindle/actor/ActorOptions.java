// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The options of an actor, and the context of the thread that started it. */
record ActorOptions<M>(
        String name,
        Supplier<? extends Actor<M>> factory,
        int capacity,
        int overdraft,
        Supervision supervision,
        @Nullable Object context) {
    /** Creates an instance of the behaviour. */
    Actor<M> create() {
        return Objects.requireNonNull(factory.get(), () -> "the factory of actor " + name + " returned null");
    }
}

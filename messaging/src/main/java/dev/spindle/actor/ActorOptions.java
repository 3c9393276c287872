// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.Objects;
import java.util.function.Supplier;

/** The options of an actor. */
record ActorOptions<M>(
        String name, Supplier<? extends Actor<M>> factory, int capacity, int overdraft, Supervision supervision) {
    /** Makes an instance. */
    Actor<M> create() {
        return Objects.requireNonNull(factory.get(), () -> "the factory of actor " + name + " returned null");
    }
}

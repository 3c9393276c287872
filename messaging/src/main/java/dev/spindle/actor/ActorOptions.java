// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import dev.spindle.internal.HandedContext;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The options of an actor, its factory, and the context of the thread that started it. */
record ActorOptions(
        String name,
        Supplier<?> factory,
        int capacity,
        int overdraft,
        Supervision supervision,
        @Nullable Function<Object, ?> keyOf,
        @Nullable HandedContext context) {}

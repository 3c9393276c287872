// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.messaging;

import dev.spindle.internal.ContextCarrier;
import dev.spindle.internal.Pool;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The context of the thread that passed user code to the library. The context is restored around each call of the code
 * (A4).
 */
public final class HandedContext {
    private final ContextCarrier contexts;
    private final @Nullable Object captured;

    private HandedContext(ContextCarrier contexts, @Nullable Object captured) {
        this.contexts = contexts;
        this.captured = captured;
    }

    /** Captures the context of the calling thread. Returns null if the spindle has no {@code ContextHook}. */
    public static @Nullable HandedContext capture(@Nullable Pool pool) {
        ContextCarrier contexts = pool == null ? null : pool.host().contexts();
        return contexts == null ? null : new HandedContext(contexts, contexts.capture());
    }

    /** Restores the captured context. The returned action restores the previous context. */
    public Runnable restore() {
        return contexts.restore(captured);
    }

    /** Returns {@code code} with the context of the calling thread; {@code code} itself if there is no hook. */
    public static <T extends @Nullable Object> Consumer<? super T> with(@Nullable Pool pool, Consumer<? super T> code) {
        HandedContext context = capture(pool);
        if (context == null) {
            return code;
        }
        return argument -> {
            Runnable restored = context.restore();
            try {
                code.accept(argument);
            } finally {
                restored.run();
            }
        };
    }

    /** Returns {@code code} with the context of the calling thread; {@code code} itself if there is no hook. */
    public static <T extends @Nullable Object, U extends @Nullable Object> BiConsumer<? super T, ? super U> with(
            @Nullable Pool pool, BiConsumer<? super T, ? super U> code) {
        HandedContext context = capture(pool);
        if (context == null) {
            return code;
        }
        return (first, second) -> {
            Runnable restored = context.restore();
            try {
                code.accept(first, second);
            } finally {
                restored.run();
            }
        };
    }
}

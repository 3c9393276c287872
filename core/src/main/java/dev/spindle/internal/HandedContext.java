// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The context of the thread that handed user code to the library, as the user's task decorator has captured it (A4).
 * Code runs in the context by running inside the runnable that the decorator returned.
 */
public final class HandedContext {
    /*
     * The decorator is called once, when the code is handed over, but the code may run many times, and in several
     * threads at once (the handler of a parallel stage). A thread therefore passes the code through CALL to the
     * runnable that the decorator has wrapped.
     */
    private static final ThreadLocal<@Nullable Call> CALL = new ThreadLocal<>();

    /** Code that runs in a context. */
    public interface Code<X extends Throwable> {
        /** Runs the code. */
        void run() throws X;
    }

    private final Runnable decorated;

    private HandedContext(UnaryOperator<Runnable> decorator) {
        Runnable returned = decorator.apply(new Task());
        decorated = Objects.requireNonNull(
                returned, () -> "the task decorator " + decorator + " returned null; it must return a Runnable");
    }

    /** Captures the context of the calling thread by {@code decorator}. */
    public static HandedContext capture(UnaryOperator<Runnable> decorator) {
        return new HandedContext(decorator);
    }

    /**
     * Captures the context of the calling thread. Returns null if {@code pool} is null or its owner has no task
     * decorator.
     */
    public static @Nullable HandedContext capture(@Nullable Pool pool) {
        UnaryOperator<Runnable> decorator = pool == null ? null : pool.host().taskDecorator();
        return decorator == null ? null : capture(decorator);
    }

    /**
     * Captures the context of the calling thread for {@code spindle}. Returns null if {@code spindle} has no task
     * decorator.
     */
    public static @Nullable HandedContext captureFor(Object spindle) {
        return capture(Pool.of(spindle));
    }

    /** Runs {@code code} in {@code context}, or without a context if {@code context} is null. */
    public static <X extends Throwable> void runIn(@Nullable HandedContext context, Code<X> code) throws X {
        if (context == null) {
            code.run();
        } else {
            context.run(code);
        }
    }

    /**
     * Runs {@code code} in this context, and throws what the code throws. The decorator does not see that throwable.
     *
     * @throws IllegalStateException if the runnable of the decorator has not run its task
     */
    public <X extends Throwable> void run(Code<X> code) throws X {
        Call outer = CALL.get();
        Call call = new Call(this, code);
        CALL.set(call);
        try {
            decorated.run();
        } catch (Throwable t) {
            if (call.failure != null && call.failure != t) {
                call.failure.addSuppressed(t);
            } else {
                call.failure = t;
            }
        } finally {
            if (outer == null) {
                CALL.remove();
            } else {
                CALL.set(outer);
            }
        }
        if (call.failure != null) {
            throw HandedContext.<X>unchecked(call.failure);
        }
        if (!call.begun) {
            throw misused();
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X unchecked(Throwable thrown) throws X {
        return (X) thrown;
    }

    private IllegalStateException misused() {
        return new IllegalStateException("the runnable " + decorated + " of the task decorator must call run() of its"
                + " task exactly once, before it returns and in the thread that runs it");
    }

    /** Returns {@code code} in the context of the calling thread; {@code code} itself if there is no decorator. */
    public static <T extends @Nullable Object> Consumer<? super T> with(@Nullable Pool pool, Consumer<? super T> code) {
        HandedContext context = capture(pool);
        return context == null ? code : argument -> context.run(() -> code.accept(argument));
    }

    /** Returns {@code code} in the context of the calling thread; {@code code} itself if there is no decorator. */
    public static <T extends @Nullable Object, U extends @Nullable Object> BiConsumer<? super T, ? super U> with(
            @Nullable Pool pool, BiConsumer<? super T, ? super U> code) {
        HandedContext context = capture(pool);
        return context == null ? code : (first, second) -> context.run(() -> code.accept(first, second));
    }

    /** The runnable that a decorator wraps. */
    private final class Task implements Runnable {
        @Override
        public void run() {
            Call call = CALL.get();
            if (call == null || call.of != HandedContext.this || call.begun) {
                throw misused();
            }
            call.begun = true;
            try {
                call.code.run();
            } catch (Throwable t) {
                call.failure = t;
            }
            WorkerContext.clearInterruptOfWorker(); // the code of the decorator must not see the task's interrupt
        }

        @Override
        public String toString() {
            return "task to decorate";
        }
    }

    /** One run of code in a context. */
    private static final class Call {
        final HandedContext of;
        final Code<?> code;
        boolean begun;

        @Nullable
        Throwable failure;

        Call(HandedContext of, Code<?> code) {
            this.of = of;
            this.code = code;
        }
    }
}

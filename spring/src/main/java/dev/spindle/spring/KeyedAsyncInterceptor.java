// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import dev.spindle.Keyed;
import dev.spindle.Lane;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Submits the call of a {@link KeyedAsync} method to the lane of its key. Thread-safe. */
final class KeyedAsyncInterceptor implements MethodInterceptor {
    private final KeyedMethods methods;

    KeyedAsyncInterceptor(KeyedMethods methods) {
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        KeyedMethod method = methods.of(AopUtils.getMostSpecificMethod(invocation.getMethod(), type));
        try {
            Object key = method.key(target, invocation.getArguments(), methods.beans());
            return submit(new Call(method, invocation), methods.keys(method), key);
        } catch (RuntimeException refused) {
            if (method.returnsNothing()) {
                throw refused;
            }
            return CompletableFuture.failedFuture(refused);
        }
    }

    private static @Nullable Object submit(Call call, Keyed<Object> keys, Object key) {
        KeyedMethod method = call.method;
        if (method.isCoalescing()) {
            Lane lane = keys.at(key);
            if (!method.returnsNothing()) {
                return coalesce(call, lane);
            }
            CompletableFuture<?> unused = lane.coalesceSlot(method, call);
            return null;
        }
        if (!method.returnsNothing()) {
            return keys.submitAsync(key, call::stage);
        }
        keys.execute(key, call);
        return null;
    }

    private static CompletableFuture<@Nullable Object> coalesce(Call call, Lane lane) {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        CompletableFuture<Boolean> turn = lane.coalesceSlot(call.method, new CoalescedCall(call, lane, result));
        CompletableFuture<?> unused = turn.whenComplete((ran, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else if (!Boolean.TRUE.equals(ran)) {
                result.completeExceptionally(new CancellationException(
                        "a newer call of " + call.method + " for key " + lane.key() + " superseded this one"));
            }
        });
        CompletableFuture<?> unusedToo = result.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                turn.cancel(false);
            }
        });
        return result;
    }

    /** A call, as a task that the reports of the pool name by its method. */
    private static final class Call implements Runnable {
        final KeyedMethod method;
        private final MethodInvocation invocation;

        Call(KeyedMethod method, MethodInvocation invocation) {
            this.method = method;
            this.invocation = invocation;
        }

        /** Calls a method that returns nothing. */
        @Override
        public void run() {
            try {
                Object unused = invocation.proceed();
            } catch (Throwable failure) {
                throw Call.<RuntimeException>unchecked(failure);
            }
        }

        /** Calls a method that returns a stage. */
        CompletionStage<@Nullable Object> stage() throws Exception {
            try {
                @SuppressWarnings("unchecked") // the return type was checked
                CompletionStage<@Nullable Object> stage = (CompletionStage<@Nullable Object>) invocation.proceed();
                return stage == null ? CompletableFuture.completedStage(null) : stage;
            } catch (Exception | Error failure) {
                throw failure;
            } catch (Throwable failure) {
                throw new IllegalStateException(failure);
            }
        }

        /** Throws {@code failure}, which may be a checked exception: the failure handler gets what the method threw. */
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        private static <X extends Throwable> X unchecked(Throwable failure) throws X {
            throw (X) failure;
        }

        @Override
        public String toString() {
            return method.toString();
        }
    }

    /** A coalescing call of a method that returns a stage. */
    private record CoalescedCall(Call call, Lane lane, CompletableFuture<@Nullable Object> result) implements Runnable {
        /** Makes the call. While the stage is open, the lane is paused, so that calls of one key do not overlap. */
        @Override
        public void run() {
            CompletionStage<@Nullable Object> stage;
            try {
                stage = call.stage();
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
                return;
            }
            lane.pause();
            CompletionStage<?> unused = stage.whenComplete((value, failure) -> {
                lane.resume();
                if (failure == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(failure);
                }
            });
        }

        @Override
        public String toString() {
            return call.toString();
        }
    }
}

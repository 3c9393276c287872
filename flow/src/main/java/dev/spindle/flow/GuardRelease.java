// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.flow.GuardedAttempt.End;
import dev.spindle.flow.internal.UserCode;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Gives back the permit and the pass of an attempt that has ended, and reports the end to the limiter and breaker. */
final class GuardRelease {
    private GuardRelease() {}

    /** Gives back a permit and a pass that were not used for a call. */
    static void unused(@Nullable Permit permit, Breaker.@Nullable Pass pass) {
        if (permit != null) {
            permit.unused();
        }
        if (pass != null) {
            UserCode.guarded(pass::ignore);
        }
    }

    /**
     * Gives back a permit. The limiter learns only from attempts that ended by themselves or by their time limit.
     *
     * @param lessNanos the time for which the attempt waited for its caller
     */
    static void permit(@Nullable Permit permit, End how, Outcome<?> outcome, long lessNanos) {
        if (permit == null) {
            return;
        }
        if (how == End.ANSWERED || how == End.EXPIRED) {
            permit.release(
                    how == End.EXPIRED
                            || outcome instanceof Outcome.TimedOut<?>
                            || outcome instanceof Outcome.Rejected<?>,
                    lessNanos);
        } else {
            permit.unused();
        }
    }

    /** Gives back a pass. The breaker counts answers, failures and timeouts, but not ends that the caller caused. */
    static void pass(
            Breaker.@Nullable Pass pass,
            End how,
            Outcome<?> outcome,
            Execution.@Nullable Verdict verdict,
            long elapsedNanos) {
        if (pass == null) {
            return;
        }
        UserCode.guarded(() -> {
            if (how == End.EXPIRED || (how == End.ANSWERED && verdict == Execution.Verdict.FAILED)) {
                pass.failure(Duration.ofNanos(elapsedNanos), outcome);
            } else if (how == End.ANSWERED && verdict == Execution.Verdict.FINAL) {
                pass.success(Duration.ofNanos(elapsedNanos));
            } else if (pass instanceof CountingBreaker.OnePass own && !(outcome instanceof Outcome.Cancelled<?>)) {
                own.spend();
            } else {
                pass.ignore();
            }
        });
    }

    /** Cancels a stage if the stage supports cancellation. */
    static void cancel(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (UnsupportedOperationException e) {
            // a stage need not support toCompletableFuture()
        } catch (Throwable t) {
            UserCode.uncaught(t);
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import dev.spindle.flow.GuardedAttempt.End;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Gives back what an attempt held, each according to how it ended. Foreign code that throws does not keep the rest. */
final class GiveBack {
    private GiveBack() {}

    /** Gives back what no call was made with. */
    static void unused(@Nullable Permit permit, Breaker.@Nullable Pass pass) {
        if (permit != null) {
            permit.unused();
        }
        if (pass != null) {
            Reports.guarded(pass::release);
        }
    }

    /**
     * A limiter learns from calls that ended by themselves or by their limit: how long they took, and that it is too
     * much.
     *
     * @param lessNanos for how long the caller was taking in the answer
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

    /** A breaker counts what the backend did or did not do in time, and nothing that we did to it. */
    static void pass(
            Breaker.@Nullable Pass pass,
            End how,
            Outcome<?> outcome,
            Execution.@Nullable Verdict verdict,
            long elapsedNanos) {
        if (pass == null) {
            return;
        }
        Reports.guarded(() -> {
            if (how == End.EXPIRED || (how == End.ANSWERED && verdict == Execution.Verdict.FAILED)) {
                pass.failure(elapsedNanos, outcome);
            } else if (how == End.ANSWERED && verdict == Execution.Verdict.FINAL) {
                pass.success(elapsedNanos);
            } else {
                pass.undecided(elapsedNanos, outcome);
            }
        });
    }

    /** Cancels a stage, if it is one that can be. */
    static void cancel(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (UnsupportedOperationException e) {
            // a stage need not have a future
        } catch (Throwable t) {
            Reports.uncaught(t);
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import dev.spindle.internal.Runner;
import dev.spindle.internal.Timers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Ends a strand when it has been quiet for a while, or a limit has passed. Looks once in a quiet time. */
final class GracefulShutdown extends Timers.Timer {
    private final Strand strand;
    private final long quietNanos;
    private final long limitNanos;
    private final long deadline;
    private final CompletableFuture<List<Runnable>> end = new CompletableFuture<>();
    private volatile boolean submitted;
    private boolean looked; // by begin, and then by one fire after the other
    private final AtomicBoolean decided = new AtomicBoolean();
    private final CompletableFuture<List<Runnable>> taken = new CompletableFuture<>();

    GracefulShutdown(Strand strand, long quietNanos, long limitNanos) {
        this.strand = strand;
        this.quietNanos = quietNanos;
        this.limitNanos = limitNanos;
        deadline = strand.spindle().pool().nanoTime() + limitNanos;
    }

    CompletableFuture<List<Runnable>> end() {
        return end;
    }

    /** Called before a submit. */
    void noteSubmit() {
        if (!submitted) {
            submitted = true;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // none of the stages can fail
    void begin() {
        strand.ended()
                .thenCompose(nothing -> {
                    strand.spindle().timers().remove(this);
                    if (decided.compareAndSet(
                            false, true)) { // else the limit has taken tasks, or is about to say which
                        taken.complete(List.of());
                    }
                    return taken;
                })
                .thenAccept(end::complete);
        if (strand.isAlone()) { // its only thread may be stuck in a task, and cannot look at the clock then
            CompletableFuture<@Nullable Void> limit = new CompletableFuture<>();
            limit.completeOnTimeout(null, limitNanos, TimeUnit.NANOSECONDS);
            limit.thenRun(this::atLimit);
            end.thenRun(() -> limit.cancel(false)); // so that nobody holds the strand until then
        }
        next();
    }

    @Override
    public void turn(Runner r) {
        next();
    }

    private void atLimit() {
        if (decided.compareAndSet(false, true)) {
            taken.complete(strand.shutdownNow());
        }
    }

    private void next() {
        long now = strand.spindle().pool().nanoTime();
        if (strand.isTerminated()) {
            return;
        }
        if (now - deadline >= 0) {
            atLimit();
            return;
        }
        if (quietNanos == 0 || (looked && !submitted && strand.estimatedPending() == 0)) {
            strand.shutdown();
        }
        looked = true;
        submitted = false;
        long since =
                strand.spindle().pool().nanoTime(); // not before: the quiet time begins where submits are forgotten
        long left = deadline - since;
        long next = since + (strand.isShutdown() ? left : Math.min(left, quietNanos));
        if (!strand.spindle().pool().addTimer(this, next)) {
            strand.shutdown(); // there is no thread to wait on
        }
        if (strand.isTerminated()) {
            strand.spindle().timers().remove(this); // its end may have looked for it too soon
        }
    }
}

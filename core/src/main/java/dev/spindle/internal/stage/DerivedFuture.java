// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.stage;

import dev.spindle.internal.lane.LaneCore;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A dependent stage of a future of the library. */
@SuppressWarnings("NullAway") // see TaskFuture
final class DerivedFuture<T extends @Nullable Object> extends StageFuture<T> {
    /*
     * This future refers to no other future, since the chain of a loop that derives each future from the last one would
     * have no end. It refers to the Continuations of the task, or of the Async stage, from which it is derived without
     * a further Async stage.
     */
    private final Continuations upstream;
    private boolean dependsOnOthers; // set before the future is published
    private boolean needsNotUpstream; // likewise

    private DerivedFuture(Continuations upstream, boolean dependsOnOthers) {
        super(null);
        this.upstream = upstream;
        this.dependsOnOthers = dependsOnOthers;
    }

    /** Returns a dependent stage of a task or turn. */
    static <T extends @Nullable Object> StageFuture<T> of(Continuations upstream) {
        return new DerivedFuture<>(upstream, false);
    }

    @Override
    Continuations upstream() {
        return upstream;
    }

    /** Records that {@code stage}, a dependent stage, may depend on others than accepted tasks. */
    static <U extends @Nullable Object> StageFuture<U> withOthers(CompletableFuture<U> stage) {
        DerivedFuture<U> derived = (DerivedFuture<U>) stage;
        derived.dependsOnOthers = true;
        return derived;
    }

    /**
     * Returns {@code stage}, of which another future may be the source, as a stage of {@code future}. If the other
     * future is done, {@code CompletableFuture} derives the stage from that future.
     */
    static <U extends @Nullable Object> StageFuture<U> withAlternative(
            StageFuture<?> future, CompletableFuture<U> stage) {
        Continuations upstream = future.upstream();
        DerivedFuture<U> derived =
                stage instanceof DerivedFuture<U> d && d.upstream == upstream ? d : new DerivedFuture<>(upstream, true);
        if (derived != stage) {
            CompletableFuture<U> unused = stage.whenComplete((value, failure) -> {
                boolean unusedResult =
                        failure == null ? derived.complete(value) : derived.completeExceptionally(failure);
            });
        }
        derived.dependsOnOthers = true;
        derived.needsNotUpstream = true;
        return derived;
    }

    /**
     * Attaches a stage to {@code future}. The stage runs on the lane or executor from which {@code future} came.
     *
     * @param user the function of the stage
     * @param attach a function that attaches the stage to a future, which the lane then completes
     */
    static <T extends @Nullable Object, U extends @Nullable Object> CompletableFuture<U> attach(
            StageFuture<T> future, Object user, Function<CompletableFuture<T>, CompletableFuture<U>> attach) {
        Continuations own = future.continuations();
        DerivedFuture<T> source = new DerivedFuture<>(new Continuations(own.origin, own.key), false);
        CompletableFuture<U> stage = attach.apply(source);
        new Continuations.Turn<>(own, source, stage, user).attachTo(future);
        return stage;
    }

    @Override
    boolean dependsOnOthers() {
        return dependsOnOthers;
    }

    @Override
    Continuations newContinuations() {
        return new Continuations(upstream.origin, upstream.key);
    }

    @Override
    Origin origin() {
        return upstream.origin;
    }

    @Override
    <U extends @Nullable Object> StageFuture<U> derive() {
        DerivedFuture<U> derived = new DerivedFuture<>(upstream, dependsOnOthers);
        derived.needsNotUpstream = needsNotUpstream;
        return derived;
    }

    @Override
    protected boolean dependsOnTask() {
        return !needsNotUpstream && !upstream.isOver();
    }

    @Override
    public @Nullable LaneCore existingLane() {
        return dependsOnTask() ? upstream.lane() : null;
    }
}

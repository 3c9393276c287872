// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Activity;
import dev.spindle.Unfinished;
import dev.spindle.internal.Headroom;
import dev.spindle.internal.WorkerContext;
import dev.spindle.internal.wait.Closing;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The close of a pipeline. */
final class PipelineClosing<E> extends Closing<E> {
    private final PublisherGate<E> gate;
    private final DroppedEvents<E> dropped;
    private final Runnable halt;

    /** Creates a close; {@code halt} halts the pipeline and interrupts its handlers. */
    PipelineClosing(HostExecutor host, PublisherGate<E> gate, DroppedEvents<E> dropped, Runnable halt) {
        super(host.pool(), "pipeline " + gate.name());
        this.gate = gate;
        this.dropped = dropped;
        this.halt = halt;
    }

    /** Returns the refusal of a close of {@code pipeline} by a worker, or null if the caller is not a worker. */
    static @Nullable String refusal(String pipeline) {
        return WorkerContext.current() == null
                ? null
                : "a worker must not wait for the end of pipeline " + pipeline + "; use drain instead of close";
    }

    @Override
    protected CompletableFuture<?> drain() {
        Headroom.requireTwice();
        gate.drain();
        return gate.end();
    }

    @Override
    protected void halt() {
        halt.run();
    }

    @Override
    protected Unfinished<E> unfinished() {
        return dropped.unfinished();
    }

    @Override
    protected List<Activity> running() {
        return dropped.running();
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Lane;
import dev.spindle.messaging.HandedContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A builder of a {@link Pipeline}. Stages form a chain in the order of their declarations: the first takes its events
 * from the publishers, each other follows the one declared before it. For branches, {@link #after} names the stages
 * that a stage follows, and {@link #afterPublish} makes it take its events from the publishers. These methods,
 * {@link #maxBatch} and {@link #onError} apply to the stage declared last. Handlers run in the context of the thread
 * that passes them to the builder, if the spindle has a {@link dev.spindle.ContextHook}.
 *
 * <pre>{@code
 * .stage("journal", ...)
 * .stage("replicate", ...).afterPublish()           // parallel to journal
 * .stage("apply", ...).after("journal", "replicate")
 * .stage("notify", ...)                             // after apply
 * }</pre>
 */
public final class PipelineBuilder<E> {
    private static final int MOST_STRANDS = 31;
    private static final int MOST_SLOTS = 1 << 30;

    private final Function<String, ? extends Lane> lanes;
    private final Supplier<? extends E> events;
    private final int size;
    private final HostExecutor host;
    private final Map<String, Draft<E>> drafts = new LinkedHashMap<>();
    private String name = "pipeline";
    private boolean single;
    private @Nullable BiConsumer<? super E, ? super List<String>> dropHandler;
    private @Nullable Consumer<? super E> clearing;
    private @Nullable Draft<E> latest;

    /** The options of a stage. */
    private static final class Draft<E> {
        final String name;
        final int strands;
        final BatchHandler<? super E> handler;
        final boolean seesBatches;
        final @Nullable String previous; // the stage declared before this one
        final Set<String> after = new LinkedHashSet<>();
        boolean afterPublish;
        OnError onError = OnError.halt();
        int maxBatch = 128;

        Draft(
                String name,
                int strands,
                BatchHandler<? super E> handler,
                boolean seesBatches,
                @Nullable String previous) {
            this.seesBatches = seesBatches;
            this.name = name;
            this.strands = strands;
            this.handler = handler;
            this.previous = previous;
        }

        /** Returns the stages that this stage follows; an empty set if it takes its events from the publishers. */
        Set<String> before() {
            return previous == null || afterPublish || !after.isEmpty() ? after : Set.of(previous);
        }
    }

    /** Creates a builder of a pipeline whose callbacks run in the threads that cause them. */
    PipelineBuilder(Function<String, ? extends Lane> lanes, Supplier<? extends E> events, int size) {
        this(lanes, events, size, new HostExecutor(null));
    }

    /** Creates a builder; {@code lanes} returns a lane for the name of each strand. */
    PipelineBuilder(Function<String, ? extends Lane> lanes, Supplier<? extends E> events, int size, HostExecutor host) {
        this.host = host;
        this.lanes = lanes;
        this.events = Objects.requireNonNull(events, "events");
        if (size < 1 || Integer.bitCount(size) != 1) {
            int next = size < 1 ? 1 : size > MOST_SLOTS ? MOST_SLOTS : Integer.highestOneBit(size) << 1;
            throw new IllegalArgumentException("size must be a power of two, is " + size + "; take " + next);
        }
        this.size = size;
    }

    /** Sets the name, which is used in messages. By default {@code pipeline}. */
    public PipelineBuilder<E> name(String name) {
        this.name = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Declares that no two threads publish at the same time, by any method, and that each publication happens-before
     * the next. Publishing then costs one atomic operation less. If two threads do publish at the same time, the
     * pipeline throws an exception to one of them, or, if it does not detect this, is corrupted.
     */
    public PipelineBuilder<E> singlePublisher() {
        single = true;
        return this;
    }

    /**
     * Adds a stage that handles one event at a time and follows the stage declared before it.
     *
     * @throws IllegalArgumentException if there is a stage with this name
     */
    public PipelineBuilder<E> stage(String stage, EventHandler<? super E> handler) {
        Objects.requireNonNull(handler, "handler");
        return add(stage, 1, (event, batch) -> handler.handle(event), false);
    }

    /** As {@link #stage(String, EventHandler)}, with a handler that is told the position in the batch. */
    public PipelineBuilder<E> stage(String stage, BatchHandler<? super E> handler) {
        return add(stage, 1, handler, true);
    }

    /**
     * Adds a stage that handles up to {@code strands} batches of neighbouring events at the same time and follows the
     * stage declared before it. The stages that follow it still handle the events in sequence.
     *
     * @param strands the number of strands, from 1 to 31
     * @throws IllegalArgumentException if there is a stage with this name, or {@code strands} is out of range
     */
    public PipelineBuilder<E> parallel(String stage, int strands, EventHandler<? super E> handler) {
        Objects.requireNonNull(handler, "handler");
        if (strands < 1 || strands > MOST_STRANDS) {
            throw new IllegalArgumentException(
                    "strands of stage " + stage + " must be from 1 to " + MOST_STRANDS + ", are " + strands);
        }
        return add(stage, strands, (event, batch) -> handler.handle(event), false);
    }

    private PipelineBuilder<E> add(String stage, int strands, BatchHandler<? super E> handler, boolean seesBatches) {
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(handler, "handler");
        Draft<E> draft =
                new Draft<>(stage, strands, inContext(handler), seesBatches, latest == null ? null : latest.name);
        if (drafts.putIfAbsent(stage, draft) != null) {
            throw new IllegalArgumentException("there is a stage " + stage + " already; stages: " + drafts.keySet());
        }
        latest = draft;
        return this;
    }

    /** Returns {@code handler} with the context of the calling thread; {@code handler} itself if there is no hook. */
    private BatchHandler<? super E> inContext(BatchHandler<? super E> handler) {
        HandedContext context = HandedContext.capture(host.pool());
        if (context == null) {
            return handler;
        }
        return (event, batch) -> {
            Runnable restored = context.restore();
            try {
                handler.handle(event, batch);
            } finally {
                restored.run();
            }
        };
    }

    /**
     * Makes the stage declared last follow these stages instead of the one declared before it. They may be declared
     * later. A second call adds to the first.
     *
     * @throws IllegalArgumentException if no stage is named, or the stage itself
     * @throws IllegalStateException if there is no stage yet, or {@link #afterPublish} was called for this stage
     */
    public PipelineBuilder<E> after(String... stages) {
        Draft<E> draft = latest("after");
        List<String> others = List.of(stages);
        if (others.isEmpty()) {
            throw new IllegalArgumentException("after of stage " + draft.name
                    + " names no stage; use afterPublish() to take events from the publishers");
        }
        if (others.contains(draft.name)) {
            throw new IllegalArgumentException("stage " + draft.name + " cannot come after itself");
        }
        if (draft.afterPublish) {
            throw bothWays(draft);
        }
        draft.after.addAll(others);
        return this;
    }

    /**
     * Makes the stage declared last take its events from the publishers, like the first stage, instead of following the
     * one declared before it.
     *
     * @throws IllegalStateException if there is no stage yet, or {@link #after} was called for this stage
     */
    public PipelineBuilder<E> afterPublish() {
        Draft<E> draft = latest("afterPublish");
        if (!draft.after.isEmpty()) {
            throw bothWays(draft);
        }
        draft.afterPublish = true;
        return this;
    }

    private static IllegalStateException bothWays(Draft<?> draft) {
        return new IllegalStateException("stage " + draft.name
                + " cannot be after other stages and take its events from the publishers:"
                + " leave out after or afterPublish");
    }

    /** Sets the reaction to exceptions of the stage declared last. By default they halt the pipeline. */
    public PipelineBuilder<E> onError(OnError policy) {
        latest("onError").onError = Objects.requireNonNull(policy, "onError");
        return this;
    }

    /**
     * Sets how many events the stage declared last handles before the stages that follow see them. By default 128.
     *
     * @throws IllegalArgumentException if {@code events} is less than 1
     */
    public PipelineBuilder<E> maxBatch(int events) {
        if (events < 1) {
            throw new IllegalArgumentException("maxBatch must be at least 1, is " + events);
        }
        latest("maxBatch").maxBatch = events;
        return this;
    }

    private Draft<E> latest(String option) {
        if (latest == null) {
            throw new IllegalStateException(option + " is about a stage: declare one with stage or parallel before");
        }
        return latest;
    }

    /**
     * Sets the handler of the events that were accepted but had not left the last stage when the pipeline was halted.
     * It gets them in sequence, after all stages have stopped. By default they are dropped, and their number is logged
     * unless {@link Pipeline#halt} was called. Among them are events that only some of the last stages have handled, or
     * only a strand of a parallel stage that was ahead of the others; a skipped event may be among them, too.
     *
     * <p>The handler runs in one plain task on the spindle. The halt ends when the handler has returned from the last
     * event. Its exceptions go to the spindle's failure handler, or to that of the thread if it is not a worker, and
     * the next event follows.
     */
    public PipelineBuilder<E> onDrop(Consumer<? super E> handler) {
        Objects.requireNonNull(handler, "onDrop");
        return onDrop((event, handled) -> handler.accept(event));
    }

    /**
     * As {@link #onDrop(Consumer)}, for a handler that is also told the names of the stages that had handled the event,
     * each after the stages that it follows. They do not include a stage that skipped the event, or for which an
     * earlier stage had skipped it.
     */
    public PipelineBuilder<E> onDrop(BiConsumer<? super E, ? super List<String>> handler) {
        this.dropHandler = HandedContext.<E, List<String>>with(host.pool(), Objects.requireNonNull(handler, "onDrop"));
        return this;
    }

    /**
     * Sets a function that is applied to an event after all stages have handled it, for example to clear its
     * references. By default there is none. Its exceptions are reported.
     */
    public PipelineBuilder<E> clear(Consumer<? super E> clearing) {
        this.clearing = HandedContext.<E>with(host.pool(), Objects.requireNonNull(clearing, "clear"));
        return this;
    }

    /**
     * Creates the events, by one call of the factory for each slot, and returns a new pipeline, which is open.
     *
     * @throws IllegalStateException if there is no stage
     * @throws IllegalArgumentException if a stage follows one that does not exist, or, directly or indirectly, itself
     * @throws NullPointerException if the factory returns null
     */
    public Pipeline<E> start() {
        if (drafts.isEmpty()) {
            throw new IllegalStateException("pipeline " + name + " has no stage: name one with stage or parallel");
        }
        Map<String, Draft<E>> all = new LinkedHashMap<>(drafts);
        if (clearing != null) {
            addClearing(all, clearing);
        }
        Map<String, Set<String>> before = new LinkedHashMap<>();
        all.values().forEach(draft -> before.put(draft.name, draft.before()));
        StageGraph graph = new StageGraph(name, before);
        RingLayout layout = new RingLayout(size);
        Ring<E> ring = new Ring<>(layout, single, events);
        return new Pipeline<>(name, single, ring, graph, dropHandler, host, (gate, halt) -> {
            Map<String, Stage<E>> stages = new LinkedHashMap<>();
            for (String stage : graph.inOrder()) {
                Draft<E> draft = Objects.requireNonNull(all.get(stage));
                Stage.Plan<E> plan = new Stage.Plan<>(
                        stage,
                        draft.handler,
                        draft.seesBatches,
                        draft.onError,
                        draft.maxBatch,
                        ring,
                        layout,
                        gate,
                        halt);
                stages.put(stage, make(plan, draft.strands));
            }
            return stages;
        });
    }

    /** Adds a stage that follows all others and clears the events. */
    private void addClearing(Map<String, Draft<E>> all, Consumer<? super E> clear) {
        Draft<E> last = new Draft<>("clear", 1, (event, batch) -> clear.accept(event), false, null);
        last.onError = OnError.skip(); // all other stages have handled the event
        last.after.addAll(all.keySet());
        if (all.putIfAbsent(last.name, last) != null) {
            throw new IllegalArgumentException("a stage cannot be named clear when there is a clear option: rename it");
        }
    }

    private Stage<E> make(Stage.Plan<E> plan, int strands) {
        String lane = name + "/" + plan.name();
        if (strands == 1) {
            return new Stage.Serial<>(plan, lanes.apply(lane));
        }
        List<Lane> some = new ArrayList<>();
        IntStream.range(0, strands).forEach(i -> some.add(lanes.apply(lane + "#" + i)));
        return new ParallelStage<>(plan, some);
    }
}

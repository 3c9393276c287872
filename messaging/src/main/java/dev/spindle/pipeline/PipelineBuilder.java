// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.pipeline;

import dev.spindle.Lane;
import dev.spindle.internal.HandedContext;
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
 * A builder of a {@link Pipeline}. By default stages form a chain: the first stage takes its events from the
 * publishers, and each other stage follows the previously declared stage. For branches, {@link #after} names the stages
 * that a stage follows, and {@link #afterPublish} makes a stage take its events from the publishers. Both methods apply
 * to the stage declared last. {@link #maxBatch} and {@link #errorPolicy} also apply to the stage declared last, or to
 * all stages if they are called before the first stage is declared. Handlers run in the context of the thread that
 * passes them to the builder if the spindle has a {@linkplain dev.spindle.SpindleBuilder#taskDecorator task decorator}.
 *
 * <pre>{@code
 * .stage("journal", ...)
 * .stage("replicate", ...).afterPublish()           // parallel to journal
 * .stage("apply", ...).after("journal", "replicate")
 * .stage("notify", ...)                             // after apply
 * }</pre>
 */
public final class PipelineBuilder<E> {
    /** The maximum number of strands of a stage: the positive bits of an int. */
    private static final int MOST_STRANDS = Integer.SIZE - 1;

    /** The maximum number of slots of a ring: the greatest power of two of an int. */
    private static final int MOST_SLOTS = 1 << 30;

    /** The default of {@link #capacity}, in events. Not measured. */
    private static final int DEFAULT_CAPACITY = 1_024;

    /** The default of {@link #maxBatch}, in events. Not measured. */
    private static final int DEFAULT_MAX_BATCH = 128;

    private final Function<String, ? extends Lane> lanes;
    private final Supplier<? extends E> events;
    private final HostExecutor host;
    private final Map<String, Draft<E>> drafts = new LinkedHashMap<>();
    private final String name;
    private int capacity = DEFAULT_CAPACITY;
    private boolean single;
    private ErrorPolicy errorPolicy = ErrorPolicy.halt(); // the default for all stages
    private int maxBatch = DEFAULT_MAX_BATCH;
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
        ErrorPolicy errorPolicy;
        int maxBatch;

        Draft(
                String name,
                int strands,
                BatchHandler<? super E> handler,
                boolean seesBatches,
                @Nullable String previous,
                ErrorPolicy errorPolicy,
                int maxBatch) {
            this.seesBatches = seesBatches;
            this.name = name;
            this.strands = strands;
            this.handler = handler;
            this.previous = previous;
            this.errorPolicy = errorPolicy;
            this.maxBatch = maxBatch;
        }

        /** Returns the stages that this stage follows; empty if this stage takes its events from the publishers. */
        Set<String> before() {
            return previous == null || afterPublish || !after.isEmpty() ? after : Set.of(previous);
        }
    }

    /** Creates a builder of a pipeline without a spindle, whose callbacks run in the calling threads. */
    PipelineBuilder(Function<String, ? extends Lane> lanes, String name, Supplier<? extends E> events) {
        this(lanes, name, events, new HostExecutor(null));
    }

    /** @param lanes the function from the name of a strand to its lane */
    PipelineBuilder(
            Function<String, ? extends Lane> lanes, String name, Supplier<? extends E> events, HostExecutor host) {
        this.host = host;
        this.lanes = lanes;
        this.name = Objects.requireNonNull(name, "name");
        this.events = Objects.requireNonNull(events, "events");
    }

    /**
     * Sets the number of slots. A slot holds an event from its publication until all stages have handled the event. The
     * default is 1,024.
     *
     * @throws IllegalArgumentException if {@code events} is not a power of two
     */
    public PipelineBuilder<E> capacity(int events) {
        if (events < 1 || Integer.bitCount(events) != 1) {
            int next = events < 1 ? 1 : events > MOST_SLOTS ? MOST_SLOTS : Integer.highestOneBit(events) << 1;
            throw new IllegalArgumentException("capacity must be a power of two, is " + events + "; take " + next);
        }
        capacity = events;
        return this;
    }

    /**
     * Declares that no two threads publish at the same time, by any method, and that each publication happens-before
     * the next. This saves one atomic operation per publication. If two threads publish at the same time, one of them
     * gets an exception, or the state of the pipeline is corrupted. The default is false.
     */
    public PipelineBuilder<E> singlePublisher(boolean single) {
        this.single = single;
        return this;
    }

    /**
     * Adds a stage that handles one event at a time and follows the previously declared stage.
     *
     * @throws IllegalArgumentException if there is a stage with this name
     */
    public PipelineBuilder<E> stage(String stage, EventHandler<? super E> handler) {
        Objects.requireNonNull(handler, "handler");
        return add(stage, 1, (event, sequence, last) -> handler.handle(event), false);
    }

    /** Does what {@link #stage(String, EventHandler)} does, with a handler that sees where batches end. */
    public PipelineBuilder<E> stage(String stage, BatchHandler<? super E> handler) {
        return add(stage, 1, handler, true);
    }

    /**
     * Adds a stage that handles up to {@code maxConcurrency} batches of consecutive events at the same time and follows
     * the previously declared stage. Stages that follow this stage handle the events in sequence.
     *
     * @param maxConcurrency the maximum number of batches, from 1 to 31
     * @throws IllegalArgumentException if there is a stage with this name, or {@code maxConcurrency} is out of range
     */
    public PipelineBuilder<E> parallelStage(String stage, int maxConcurrency, EventHandler<? super E> handler) {
        Objects.requireNonNull(handler, "handler");
        if (maxConcurrency < 1 || maxConcurrency > MOST_STRANDS) {
            throw new IllegalArgumentException("maxConcurrency of stage " + stage + " must be from 1 to " + MOST_STRANDS
                    + ", is " + maxConcurrency);
        }
        return add(stage, maxConcurrency, (event, sequence, last) -> handler.handle(event), false);
    }

    private PipelineBuilder<E> add(String stage, int strands, BatchHandler<? super E> handler, boolean seesBatches) {
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(handler, "handler");
        String previous = latest == null ? null : latest.name;
        Draft<E> draft = new Draft<>(stage, strands, inContext(handler), seesBatches, previous, errorPolicy, maxBatch);
        if (drafts.putIfAbsent(stage, draft) != null) {
            throw new IllegalArgumentException("there is a stage " + stage + " already; stages: " + drafts.keySet());
        }
        latest = draft;
        return this;
    }

    /**
     * Returns {@code handler} with the context of the calling thread; {@code handler} itself if there is no decorator.
     */
    private BatchHandler<? super E> inContext(BatchHandler<? super E> handler) {
        HandedContext context = HandedContext.capture(host.pool());
        return context == null
                ? handler
                : (event, sequence, last) -> context.run(() -> handler.handle(event, sequence, last));
    }

    /**
     * Makes the stage declared last follow {@code stages} instead of the previously declared stage. {@code stages} may
     * be declared later. A second call adds to the stages of the first call.
     *
     * @throws IllegalArgumentException if {@code stages} is empty or contains the stage declared last
     * @throws IllegalStateException if no stage was declared, or {@link #afterPublish} was called for the stage
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
     * previously declared stage.
     *
     * @throws IllegalStateException if no stage was declared, or {@link #after} was called for the stage
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

    /**
     * Sets the reaction to an exception of the handler of the stage declared last. Called before the first stage, this
     * method sets the default for all stages. By default an exception halts the pipeline.
     */
    public PipelineBuilder<E> errorPolicy(ErrorPolicy policy) {
        Objects.requireNonNull(policy, "errorPolicy");
        if (latest == null) {
            errorPolicy = policy;
        } else {
            latest.errorPolicy = policy;
        }
        return this;
    }

    /**
     * Sets the maximum number of events that the stage declared last handles before the stages that follow see these
     * events. Called before the first stage, this method sets the default for all stages. The default is 128.
     *
     * @throws IllegalArgumentException if {@code events} is less than 1
     */
    public PipelineBuilder<E> maxBatch(int events) {
        if (events < 1) {
            throw new IllegalArgumentException("maxBatch must be at least 1, is " + events);
        }
        if (latest == null) {
            maxBatch = events;
        } else {
            latest.maxBatch = events;
        }
        return this;
    }

    private Draft<E> latest(String option) {
        if (latest == null) {
            throw new IllegalStateException(
                    option + " is about a stage: declare one with stage or parallelStage before");
        }
        return latest;
    }

    /**
     * Sets the handler of the accepted events that not all stages had handled when the pipeline was halted. By default
     * such events are dropped, and their number is logged unless {@link Pipeline#halt} was called.
     *
     * <p>The handler gets these events in sequence, after all stages have stopped, each with the names of the stages
     * that had handled the event. The names are ordered: each stage comes after the stages that it follows. A stage
     * that skipped the event is not named, nor is a stage that follows such a stage. The events may include one that a
     * parallel stage had handled ahead of an earlier event, and one that a stage had skipped.
     *
     * <p>The handler runs in one plain task on the spindle. The halt ends when the handler has returned from the last
     * event. An exception of the handler goes to the spindle's failure handler, or to the uncaught-exception handler of
     * a thread that is not a worker. The handler then gets the next event.
     */
    public PipelineBuilder<E> onDrop(BiConsumer<? super E, ? super List<String>> handler) {
        this.dropHandler = HandedContext.<E, List<String>>with(host.pool(), Objects.requireNonNull(handler, "onDrop"));
        return this;
    }

    /**
     * Sets a function that is applied to an event after all stages have handled the event, for example to clear its
     * references. An exception of the function goes to the spindle's failure handler. By default there is no function.
     */
    public PipelineBuilder<E> clear(Consumer<? super E> clearing) {
        this.clearing = HandedContext.<E>with(host.pool(), Objects.requireNonNull(clearing, "clear"));
        return this;
    }

    /**
     * Calls the factory of the events once for each slot, and returns a new pipeline, which accepts events.
     *
     * @throws IllegalStateException if there is no stage
     * @throws IllegalArgumentException if a stage follows a stage that does not exist, or follows itself, directly or
     *     indirectly
     * @throws NullPointerException if the factory returns null
     */
    public Pipeline<E> build() {
        if (drafts.isEmpty()) {
            throw new IllegalStateException("pipeline " + name + " has no stage: name one with stage or parallelStage");
        }
        Map<String, Draft<E>> all = new LinkedHashMap<>(drafts);
        if (clearing != null) {
            addClearing(all, clearing);
        }
        Map<String, Set<String>> before = new LinkedHashMap<>();
        all.values().forEach(draft -> before.put(draft.name, draft.before()));
        StageGraph graph = new StageGraph(name, before);
        RingLayout layout = new RingLayout(capacity);
        Ring<E> ring = new Ring<>(layout, single, events);
        return new Pipeline<>(name, single, ring, graph, clearing != null, dropHandler, host, (gate, halt) -> {
            Map<String, Stage<E>> stages = new LinkedHashMap<>();
            for (String stage : graph.inOrder()) {
                Draft<E> draft = Objects.requireNonNull(all.get(stage));
                Stage.Plan<E> plan = new Stage.Plan<>(
                        stage,
                        draft.handler,
                        draft.seesBatches,
                        draft.errorPolicy,
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
        Draft<E> last = new Draft<>(
                DroppedEvents.CLEAR,
                1,
                (event, sequence, end) -> clear.accept(event),
                false,
                null,
                ErrorPolicy.skip(), // not halt: all other stages have handled the event
                DEFAULT_MAX_BATCH);
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

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
 * {@link #maxBatch} and {@link #errorPolicy} apply to the stage declared last, or, before the first stage, to all
 * stages. Handlers run in the context of the thread that passes them to the builder, if the spindle has a
 * {@link dev.spindle.ContextHook}.
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
    private final HostExecutor host;
    private final Map<String, Draft<E>> drafts = new LinkedHashMap<>();
    private final String name;
    private int capacity = 1_024;
    private boolean single;
    private ErrorPolicy errorPolicy = ErrorPolicy.halt(); // of the stages declared next
    private int maxBatch = 128;
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

        /** Returns the stages that this stage follows; an empty set if it takes its events from the publishers. */
        Set<String> before() {
            return previous == null || afterPublish || !after.isEmpty() ? after : Set.of(previous);
        }
    }

    /** Creates a builder of a pipeline whose callbacks run in the threads that cause them. */
    PipelineBuilder(Function<String, ? extends Lane> lanes, String name, Supplier<? extends E> events) {
        this(lanes, name, events, new HostExecutor(null));
    }

    /** Creates a builder; {@code lanes} returns a lane for the name of each strand. */
    PipelineBuilder(
            Function<String, ? extends Lane> lanes, String name, Supplier<? extends E> events, HostExecutor host) {
        this.host = host;
        this.lanes = lanes;
        this.name = Objects.requireNonNull(name, "name");
        this.events = Objects.requireNonNull(events, "events");
    }

    /**
     * Sets the number of slots: the maximum number of events between the publishers and the last stages. By default
     * 1,024.
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
     * the next; false unless set. Publishing then costs one atomic operation less. If two threads do publish at the
     * same time, the pipeline throws an exception to one of them, or, if it does not detect this, is corrupted.
     */
    public PipelineBuilder<E> singlePublisher(boolean single) {
        this.single = single;
        return this;
    }

    /**
     * Adds a stage that handles one event at a time and follows the stage declared before it.
     *
     * @throws IllegalArgumentException if there is a stage with this name
     */
    public PipelineBuilder<E> stage(String stage, EventHandler<? super E> handler) {
        Objects.requireNonNull(handler, "handler");
        return add(stage, 1, (event, sequence, last) -> handler.handle(event), false);
    }

    /** As {@link #stage(String, EventHandler)}, with a handler that is told the end of a batch. */
    public PipelineBuilder<E> stage(String stage, BatchHandler<? super E> handler) {
        return add(stage, 1, handler, true);
    }

    /**
     * Adds a stage that handles up to {@code maxConcurrency} batches of neighbouring events at the same time and
     * follows the stage declared before it. The stages that follow it still handle the events in sequence.
     *
     * @param maxConcurrency from 1 to 31
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

    /** Returns {@code handler} with the context of the calling thread; {@code handler} itself if there is no hook. */
    private BatchHandler<? super E> inContext(BatchHandler<? super E> handler) {
        HandedContext context = HandedContext.capture(host.pool());
        if (context == null) {
            return handler;
        }
        return (event, sequence, endOfBatch) -> {
            Runnable restored = context.restore();
            try {
                handler.handle(event, sequence, endOfBatch);
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

    /**
     * Sets the reaction to exceptions of the stage declared last; before the first stage, of all stages. By default
     * they halt the pipeline.
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
     * Sets how many events the stage declared last, or before the first stage, each stage, handles before the stages
     * that follow see them. By default 128.
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
     * Sets the handler of the events that were accepted but had not left the last stage when the pipeline was halted.
     * It gets them in sequence, after all stages have stopped, with the names of the stages that had handled the event,
     * each after the stages that it follows. They do not include a stage that skipped the event, or for which an
     * earlier stage had skipped it. By default the events are dropped, and their number is logged unless
     * {@link Pipeline#halt} was called. Among them are events that only some of the last stages have handled, or only a
     * strand of a parallel stage that was ahead of the others; a skipped event may be among them, too.
     *
     * <p>The handler runs in one plain task on the spindle. The halt ends when the handler has returned from the last
     * event. Its exceptions go to the spindle's failure handler, or to that of the thread if it is not a worker, and
     * the next event follows.
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
        return new Pipeline<>(name, single, ring, graph, dropHandler, host, (gate, halt) -> {
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
                "clear",
                1,
                (event, sequence, end) -> clear.accept(event),
                false,
                null,
                ErrorPolicy.skip(), // all other stages have handled the event
                128);
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

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.pipelines;

import dev.spindle.pipeline.ErrorPolicy;
import dev.spindle.pipeline.PipelineBuilder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A random graph of stages. Each stage checks the numbers and the order of its events, and the visibility of earlier
 * stages' writes. A serial stage also checks that its calls do not overlap. Some handlers throw, for events chosen by
 * their number.
 */
final class RandomGraph {
    static final int NOTHING = -1;
    private static final int MOST_STAGES = 5;
    private static final int MOST_STRANDS = 3;
    private static final int ONE_IN = 16;

    private final long seed;
    private final List<Node> nodes = new ArrayList<>();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final LongAdder moves = new LongAdder();

    /** A deliberate failure of a handler. */
    static final class Planned extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** The event of a slot. The fields are plain; the pipeline must make them visible. */
    static final class Event {
        int id = NOTHING;
        final int[] handled = new int[MOST_STAGES]; // the id that each stage has handled, or NOTHING
        final int[] calls = new int[MOST_STAGES];
    }

    private final class Node {
        final int index = nodes.size();
        final String name = "s" + index;
        final BitSet before = new BitSet();
        final BitSet ancestors = new BitSet();
        final int width;
        final int retries;
        final int maxBatch;
        /** True if the stage follows the previous stage by default. */
        final boolean chained;

        final AtomicInteger running = new AtomicInteger();
        final Set<Integer> called = ConcurrentHashMap.newKeySet();
        final Queue<Integer> handled = new ConcurrentLinkedQueue<>();
        final Map<Integer, Integer> latest = new HashMap<>(); // used by serial stages only
        long next; // plain

        Node(Random random) {
            width = random.nextInt(3) == 0 ? 2 + random.nextInt(MOST_STRANDS - 1) : 1;
            retries = random.nextInt(3);
            maxBatch = 1 << random.nextInt(6);
            chained = index > 0 && random.nextInt(3) == 0;
            for (int i = 0; i < index; i++) {
                if (chained ? i == index - 1 : random.nextInt(3) == 0) {
                    before.set(i);
                    ancestors.set(i);
                    ancestors.or(nodes.get(i).ancestors);
                }
            }
        }

        /**
         * Returns the number of times that the handler throws for an event; the number may exceed the number of
         * retries.
         */
        int throwsFor(int id) {
            int hash = (int) (((seed ^ (id * 31L + index)) * 0x9E3779B97F4A7C15L) >>> 40);
            return hash % ONE_IN == 0 ? 1 + (hash / ONE_IN) % 3 : 0;
        }

        boolean skips(int id) {
            return throwsFor(id) > retries;
        }

        /** Returns true if the event must reach this stage. */
        boolean isFor(int id) {
            return ancestors.stream().noneMatch(i -> nodes.get(i).skips(id));
        }

        void handle(Event event, long sequence) {
            check(sequence >= next, "sequence " + sequence + " after " + next);
            next = sequence;
            int before = latest.getOrDefault(RandomPipeline.producer(event.id), NOTHING);
            check(before <= event.id, "event " + event.id + " after " + before + " of the same producer");
            latest.put(RandomPipeline.producer(event.id), event.id);
            handle(event);
        }

        void handle(Event event) {
            int now = running.incrementAndGet();
            int id = event.id;
            check(now <= width, now + " at a time");
            check(event.handled[index] != id, "event " + id + " twice");
            before.stream()
                    .forEach(i -> check(event.handled[i] == id, "event " + id + " before stage " + i + " was through"));
            called.add(id);
            int call = ++event.calls[index];
            if (call > throwsFor(id)) {
                event.handled[index] = id;
                handled.add(id);
            }
            running.decrementAndGet();
            moves.increment();
            if (call <= throwsFor(id)) {
                throw new Planned();
            }
        }

        private void check(boolean holds, String what) {
            if (!holds) {
                errors.add(name + ": " + what);
            }
        }
    }

    RandomGraph(Random random) {
        seed = random.nextLong();
        int count = 1 + random.nextInt(MOST_STAGES);
        for (int i = 0; i < count; i++) {
            nodes.add(new Node(random));
        }
    }

    void addTo(PipelineBuilder<Event> builder) {
        for (Node node : nodes) {
            if (node.width == 1) {
                builder.stage(node.name, (event, sequence, endOfBatch) -> node.handle(event, sequence));
            } else {
                builder.parallelStage(node.name, node.width, event -> node.handle(event));
            }
            if (node.before.isEmpty()) {
                builder.afterPublish();
            } else if (!node.chained) {
                builder.after(node.before.stream().mapToObj(i -> "s" + i).toArray(String[]::new));
            }
            builder.maxBatch(node.maxBatch)
                    .errorPolicy(
                            node.retries == 0
                                    ? ErrorPolicy.skip()
                                    : ErrorPolicy.retry(node.retries).thenSkip());
        }
    }

    /** Fills a slot; the previous event of the slot must have left the pipeline. */
    void fill(Event event, int id) {
        int old = event.id;
        for (Node node : nodes) {
            boolean through = old == NOTHING || !node.isFor(old) || node.skips(old) || event.handled[node.index] == old;
            node.check(through, "the slot of event " + old + " is used again by " + id + " before it was through");
            event.handled[node.index] = NOTHING;
            event.calls[node.index] = 0;
        }
        event.id = id;
    }

    /** Returns the approximate number of calls of handlers. */
    long moves() {
        return moves.sum();
    }

    void error(String what) {
        errors.add(what);
    }

    /**
     * Returns the errors. Each stage must have handled once each event of {@code complete} that reaches the stage and
     * that the stage does not skip. A stage may also have handled other events of {@code accepted}.
     */
    List<String> errors(Set<Integer> complete, Set<Integer> accepted) {
        List<String> all = new ArrayList<>(errors);
        for (Node node : nodes) {
            Set<Integer> once = ConcurrentHashMap.newKeySet();
            node.handled.stream()
                    .filter(id -> !once.add(id))
                    .forEach(id -> all.add(node.name + ": twice, event " + id));
            complete.stream()
                    .filter(id -> node.isFor(id) && !node.skips(id) && !once.contains(id))
                    .forEach(id -> all.add(node.name + ": never came event " + id));
            node.called.stream()
                    .filter(id -> !accepted.contains(id) || !node.isFor(id))
                    .forEach(id -> all.add(node.name + ": should not have seen event " + id));
        }
        return all;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        nodes.forEach(node -> text.append(node.name)
                .append(node.chained ? " chained after " : " after ")
                .append(node.before)
                .append(" x")
                .append(node.width)
                .append(" retries ")
                .append(node.retries)
                .append(" batch ")
                .append(node.maxBatch)
                .append("; "));
        return text.toString();
    }
}

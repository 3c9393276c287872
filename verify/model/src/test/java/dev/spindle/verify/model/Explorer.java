// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Visits every state that a model can reach. A state is remembered by a fingerprint of 64 bits; with ten million states
 * the chance that two share one is below one in a hundred thousand.
 */
final class Explorer {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Model model;
    private final int most;
    private final Fingerprints known = new Fingerprints();
    private final Ints parents = new Ints();
    private final Ints edges = new Ints();
    private final Ints firstEdge = new Ints();
    private final BitSet goodEnds = new BitSet();

    private Explorer(Model model, int most) {
        this.model = model;
        this.most = most;
    }

    /**
     * The result of an exploration.
     *
     * @param states the number of states, or of those that were visited before the fault or the limit
     * @param isComplete whether all states were visited, or a fault was found
     * @param fault a description of the fault, or null
     * @param trace the steps that lead to it
     */
    record Result(int states, boolean isComplete, @Nullable String fault, List<String> trace) {
        /** Returns the fault and its trace, for people. */
        String text() {
            return fault == null
                    ? states + " states" + (isComplete ? "" : ", and there are more") + ", no fault"
                    : fault + ", after\n  " + String.join("\n  ", trace) + "\n(" + states + " states)";
        }
    }

    /** Explores at most {@code most} states of {@code model}. */
    static Result explore(Model model, int most) {
        return new Explorer(model, most).explore();
    }

    private Result explore() {
        ArrayDeque<byte[]> frontier = new ArrayDeque<>();
        byte[] initial = model.initial();
        known.add(fingerprint(model.canonical(initial)));
        parents.add(-1);
        frontier.add(initial);
        for (int index = 0; !frontier.isEmpty(); index++) {
            byte[] state = frontier.remove();
            firstEdge.add(edges.size());
            String fault = model.fault(state);
            if (fault != null) {
                return new Result(known.size(), true, fault, trace(index));
            }
            int from = index;
            model.next(state, (next, thread, sure) -> {
                int to = known.add(fingerprint(model.canonical(next)));
                if (to == parents.size()) {
                    parents.add(from);
                    frontier.add(next);
                }
                if (sure) {
                    edges.add(to);
                }
            });
            if (model.isGoodEnd(state)) {
                goodEnds.set(index);
            }
            if (known.size() > most) {
                return new Result(known.size(), false, null, List.of());
            }
        }
        firstEdge.add(edges.size());
        int lost = outOfReach();
        return lost < 0
                ? new Result(known.size(), true, null, List.of())
                : new Result(known.size(), true, "a good end is out of reach", trace(lost));
    }

    /** Returns the first state from which no good end can be reached, or -1. */
    private int outOfReach() {
        int states = known.size();
        int[] start = new int[states + 1];
        for (int i = 0; i < edges.size(); i++) {
            start[edges.get(i) + 1]++;
        }
        for (int i = 0; i < states; i++) {
            start[i + 1] += start[i];
        }
        int[] back = new int[edges.size()];
        int[] fill = Arrays.copyOf(start, states);
        for (int from = 0; from < states; from++) {
            for (int e = firstEdge.get(from); e < firstEdge.get(from + 1); e++) {
                back[fill[edges.get(e)]++] = from;
            }
        }
        BitSet reaches = (BitSet) goodEnds.clone();
        Ints left = new Ints();
        goodEnds.stream().forEach(left::add);
        while (left.size() > 0) {
            int state = left.removeLast();
            for (int i = start[state]; i < start[state + 1]; i++) {
                if (!reaches.get(back[i])) {
                    reaches.set(back[i]);
                    left.add(back[i]);
                }
            }
        }
        int lost = reaches.nextClearBit(0);
        return lost < states ? lost : -1;
    }

    /** Returns the shortest path to a state. Only fingerprints are kept, so the path is walked again. */
    private List<String> trace(int end) {
        List<Integer> way = new ArrayList<>();
        for (int i = end; i > 0; i = parents.get(i)) {
            way.add(i);
        }
        Collections.reverse(way);
        List<String> lines = new ArrayList<>();
        byte[] state = model.initial();
        for (int index : way) {
            byte[][] found = new byte[1][];
            String[] line = {""};
            byte[] before = state;
            model.next(before, (next, thread, sure) -> {
                if (found[0] == null && known.indexOf(fingerprint(model.canonical(next))) == index) {
                    found[0] = next;
                    line[0] = model.text(before, thread);
                }
            });
            lines.add(line[0]);
            state = found[0];
        }
        lines.add(model.text(state, -1));
        return lines;
    }

    private static long fingerprint(byte[] state) {
        long hash = 0x9E3779B97F4A7C15L;
        int i = 0;
        for (; i + Long.BYTES <= state.length; i += Long.BYTES) {
            hash = mix(hash ^ (long) LONGS.get(state, i));
        }
        for (; i < state.length; i++) {
            hash = mix(hash ^ state[i]);
        }
        return hash;
    }

    private static long mix(long bits) {
        long h = (bits ^ bits >>> 32) * 0xFF51AFD7ED558CCDL;
        h = (h ^ h >>> 29) * 0xC4CEB9FE1A85EC53L;
        return h ^ h >>> 32;
    }

    /** A growing array. */
    private static final class Ints {
        private int[] values = new int[1 << 12];
        private int size;

        void add(int value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, size * 2);
            }
            values[size++] = value;
        }

        int get(int index) {
            return values[index];
        }

        int removeLast() {
            return values[--size];
        }

        int size() {
            return size;
        }
    }

    /** Numbers fingerprints in the order in which they come. */
    private static final class Fingerprints {
        private long[] prints = new long[1 << 12];
        private int[] numbers = new int[1 << 12];
        private int size;

        /** Returns the number of a fingerprint; a new number for a new fingerprint. */
        int add(long print) {
            if (size * 2 > prints.length) {
                grow();
            }
            int at = place(print);
            if (numbers[at] == 0) {
                prints[at] = print;
                numbers[at] = ++size;
            }
            return numbers[at] - 1;
        }

        int indexOf(long print) {
            return numbers[place(print)] - 1;
        }

        int size() {
            return size;
        }

        private int place(long print) {
            int mask = prints.length - 1;
            int at = (int) (print >>> 17) & mask;
            while (numbers[at] != 0 && prints[at] != print) {
                at = (at + 1) & mask;
            }
            return at;
        }

        private void grow() {
            long[] oldPrints = prints;
            int[] oldNumbers = numbers;
            prints = new long[oldPrints.length * 2];
            numbers = new int[oldPrints.length * 2];
            for (int i = 0; i < oldPrints.length; i++) {
                if (oldNumbers[i] != 0) {
                    int at = place(oldPrints[i]);
                    prints[at] = oldPrints[i];
                    numbers[at] = oldNumbers[i];
                }
            }
        }
    }
}

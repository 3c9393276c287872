// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.forks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * In which order forks run: rounds outermost, so that a disturbance of some minutes hits all contenders alike, and each
 * round begins with another contender, so that none always runs in the same one's wake.
 */
public final class Rounds {
    private Rounds() {}

    /** Makes the description of a fork. Rounds count from 1. */
    public interface Maker<C, K, F> {
        F fork(int round, C cell, K contender);
    }

    /** The forks of all rounds, without contenders that do not take part in a cell. */
    public static <C, K, F> List<F> order(
            int rounds, List<C> cells, List<K> contenders, BiPredicate<K, C> takesPart, Maker<C, K, F> maker) {
        List<F> forks = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            for (C cell : cells) {
                List<K> order = new ArrayList<>(contenders.stream()
                        .filter(contender -> takesPart.test(contender, cell))
                        .toList());
                Collections.rotate(order, -(round - 1));
                for (K contender : order) {
                    forks.add(maker.fork(round, cell, contender));
                }
            }
        }
        return List.copyOf(forks);
    }
}

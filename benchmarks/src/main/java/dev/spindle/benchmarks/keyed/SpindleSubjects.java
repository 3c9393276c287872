// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.keyed;

import dev.spindle.Keyed;
import dev.spindle.Lane;
import dev.spindle.Spindle;
import java.util.Arrays;

/** Spindle as a user meets it: the factory method, no option set. */
final class SpindleSubjects {
    private SpindleSubjects() {}

    /** Each submit looks its key up. */
    static KeyedExecutor byKey(int keys) {
        Spindle spindle = Spindle.create();
        Keyed<Integer> keyed = spindle.keyed();
        Integer[] keyOf = keysUpTo(keys);
        return new KeyedExecutor() {
            @Override
            public void execute(int key, Runnable task) {
                keyed.execute(keyOf[key], task);
            }

            @Override
            public void close() {
                spindle.close();
            }
        };
    }

    /** Each submit goes through a handle that the caller kept, as the peers' do. */
    static KeyedExecutor byHandle(int keys) {
        Spindle spindle = Spindle.create();
        Keyed<Integer> keyed = spindle.keyed();
        Integer[] keyOf = keysUpTo(keys);
        Lane[] lanes = new Lane[keys];
        Arrays.setAll(lanes, key -> keyed.at(keyOf[key]));
        return new KeyedExecutor() {
            @Override
            public void execute(int key, Runnable task) {
                lanes[key].execute(task);
            }

            @Override
            public void close() {
                spindle.close();
            }
        };
    }

    private static Integer[] keysUpTo(int keys) {
        Integer[] keyOf = new Integer[keys];
        Arrays.setAll(keyOf, key -> key);
        return keyOf;
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.CoalescingTask;
import dev.spindle.SequentialTask;
import org.junit.jupiter.api.Test;

class TaskKeysTest {
    private static class Sequential implements SequentialTask {
        @Override
        public Object key() {
            return "key";
        }

        @Override
        public void run() {}
    }

    private static final class Derived extends Sequential {}

    private static final class Coalescing implements CoalescingTask {
        @Override
        public Object key() {
            return "key";
        }

        @Override
        public void run() {}
    }

    @Test
    void carriesKey_sequentialOrCoalescing_isTrue() {
        assertThat(TaskKeys.carriesKey(new Sequential())).isTrue();
        assertThat(TaskKeys.carriesKey(new Derived())).isTrue();
        assertThat(TaskKeys.carriesKey(new Coalescing())).isTrue();
    }

    @Test
    void carriesKey_anythingElse_isFalse() {
        Runnable plain = () -> {};

        assertThat(TaskKeys.carriesKey(plain)).isFalse();
        assertThat(TaskKeys.carriesKey(new Thread(plain))).isFalse();
        assertThat(TaskKeys.carriesKey("a callable, or a supplier")).isFalse();
    }
}

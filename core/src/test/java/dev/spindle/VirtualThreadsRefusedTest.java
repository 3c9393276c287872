// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** A JDK without virtual threads refuses {@link SpindleBuilder#virtualThreads}. */
@EnabledForJreRange(max = JRE.JAVA_20)
class VirtualThreadsRefusedTest {
    @Test
    void build_beforeJdk21_saysWhichJdkIsRequired() {
        assertThatThrownBy(() -> Spindle.builder().virtualThreads(true).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("virtualThreads(true) requires JDK 21 or newer, this is JDK 17");
    }

    @Test
    void build_ownFactory_takesPrecedence() {
        Spindle.builder()
                .virtualThreads(true)
                .auxiliaryThreadFactory(Thread::new)
                .build()
                .close();
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HandedContextTest {
    private final List<String> seen = new ArrayList<>();
    private final Spindle plain = Spindle.builder().build();
    private final Spindle decorated = Spindle.builder()
            .taskDecorator(task -> () -> {
                seen.add("before");
                task.run();
                seen.add("after");
            })
            .build();

    @AfterEach
    void end() {
        plain.close();
        decorated.close();
    }

    @Test
    void with_noDecorator_isTheCodeItself() {
        Consumer<String> one = seen::add;
        BiConsumer<String, String> two = (first, second) -> seen.add(first + second);
        Pool pool = Pool.of(plain);
        assertThat(HandedContext.with(pool, one)).isSameAs(one);
        assertThat(HandedContext.with(pool, two)).isSameAs(two);
        assertThat(HandedContext.with(null, one)).isSameAs(one);
    }

    @Test
    void with_decorator_runsTheCodeInside() {
        Pool pool = Pool.of(decorated);
        Consumer<String> one = seen::add;
        BiConsumer<String, String> two = (first, second) -> seen.add(first + second);
        HandedContext.with(pool, one).accept("a");
        HandedContext.with(pool, two).accept("b", "c");
        assertThat(seen).containsExactly("before", "a", "after", "before", "bc", "after");
    }

    @Test
    void run_codeAndDecoratorThrow_theCodesThrowableHasTheOther() {
        IllegalStateException ofCode = new IllegalStateException("code");
        IllegalStateException ofDecorator = new IllegalStateException("decorator");
        HandedContext context = HandedContext.capture(task -> () -> {
            task.run();
            throw ofDecorator;
        });
        assertThatThrownBy(() -> context.run(() -> {
                    throw ofCode;
                }))
                .isSameAs(ofCode)
                .hasSuppressedException(ofDecorator);
        assertThatThrownBy(() -> context.run(() -> {})).isSameAs(ofDecorator);
    }

    @Test
    void run_inside_anotherContext_theOuterOneIsKept() {
        HandedContext context = HandedContext.capture(task -> task);
        context.run(() -> {
            context.run(() -> seen.add("inner"));
            seen.add("outer");
        });
        assertThat(seen).containsExactly("inner", "outer");
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The context of each library reaches the code at each entry point, and leaves the worker with it (A4). */
@Timeout(60)
class ContextsContractTest {
    private static List<Arguments> pairs() {
        return Arrays.stream(Library.values())
                .filter(Library::isThere)
                .flatMap(library -> Arrays.stream(Entry.values()).map(entry -> Arguments.of(library, entry)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void a4_contextOfALibrary_isThatOfTheHandOver(Library library, Entry entry) throws Exception {
        SpindleBuilder builder = Spindle.builder().coreThreads(1).maxThreads(1);
        library.carry(builder);
        try (Spindle spindle = builder.build()) {
            for (String value : List.of("one", "two")) {
                CompletableFuture<String> seen = new CompletableFuture<>();
                library.in(value, () -> entry.hand(spindle, () -> seen.complete(String.valueOf(library.now()))));

                assertThat(seen.get(20, TimeUnit.SECONDS)).isEqualTo(value);
            }
            assertThat(library.now()).isNull();
            assertThat(spindle.submit(() -> String.valueOf(library.now())).get(20, TimeUnit.SECONDS))
                    .isEqualTo("null");
        }
    }
}

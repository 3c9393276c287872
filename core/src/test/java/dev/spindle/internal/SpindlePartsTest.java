// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static dev.spindle.TestSupport.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import dev.spindle.Stats;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpindlePartsTest {
    private final SpindleParts parts = new SpindleParts();

    /** A part whose figures are those of a spindle. */
    private record Part(Stats figures) implements SpindlePart {
        @Override
        public void listFigures(FigureList list) {
            list.add(Kind.GATEWAY, null, figures);
        }
    }

    private List<String> names() {
        List<String> names = new ArrayList<>();
        parts.listFigures((kind, owner, figures) -> names.add(kind + " " + figures.name()));
        return names;
    }

    @Test
    void parts_areListedInOrder_untilTheyAreUnreachable() {
        try (Spindle one = Spindle.builder().name("one").build();
                Spindle two = Spindle.builder().name("two").build()) {
            Part kept = new Part(one.stats());
            parts.add(kept);
            parts.add(new Part(two.stats()));

            until(() -> {
                System.gc();
                return names().equals(List.of("GATEWAY one"));
            });
            parts.add(kept); // removes the reference of the other part
            assertThat(names()).containsExactly("GATEWAY one", "GATEWAY one");
            assertThat(parts.reference().get()).isSameAs(parts);
        }
    }

    @Test
    void spindle_listsItself_itsKeySpaces_andItsExecutors() {
        try (Spindle spindle = Spindle.builder().name("main").build()) {
            spindle.keyed("accounts").execute("a", () -> {});
            ExecutorService kept = spindle.executor("reads", 2);
            kept.execute(() -> {});
            List<String> names = new ArrayList<>();
            Pool.of(spindle).listFigures((kind, owner, figures) -> names.add(kind + " " + figures.name()));
            assertThat(names).contains("SPINDLE main", "EXECUTOR reads").anyMatch(name -> name.endsWith(" accounts"));
        }
    }
}

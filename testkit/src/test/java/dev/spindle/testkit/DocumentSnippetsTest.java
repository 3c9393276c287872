// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The snippets of docs/testing.md, which shows the lines between the comments literally. */
class DocumentSnippetsTest {
    private final List<String> sent = new ArrayList<>();

    @Test
    void simulation_reminderInThreeHours_isSentThenAndNotBefore() {
        // snippet: simulation
        try (Simulation simulation = Simulation.inOrder()) {
            Reminders reminders = new Reminders(simulation.spindle()); // the code under test
            reminders.remind("alice", Duration.ofHours(3));

            simulation.advance(Duration.ofHours(3).minusNanos(1));
            assertThat(sent).isEmpty();
            simulation.advance(Duration.ofNanos(1));
            assertThat(sent).containsExactly("alice");
        }
        // end
    }

    // snippet: explore
    @Test
    void transfers_inAnyOrder_keepTheTotal() {
        Simulation.explore(1_000, simulation -> {
            Ledger ledger = new Ledger(simulation.spindle().keyed("accounts"));
            ledger.transfer("a", "b", 100);
            ledger.transfer("b", "a", 30);
            simulation.run();
            assertThat(ledger.total()).isEqualTo(1_000);
        });
    }
    // end

    private final class Reminders {
        private final Spindle spindle;

        Reminders(Spindle spindle) {
            this.spindle = spindle;
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the effect of the task is checked
        void remind(String name, Duration in) {
            spindle.schedule(() -> sent.add(name), in.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private static final class Ledger {
        private final Keyed<String> accounts;
        private final Map<String, Integer> balances = new ConcurrentHashMap<>(Map.of("a", 500, "b", 500));

        Ledger(Keyed<String> accounts) {
            this.accounts = accounts;
        }

        void transfer(String from, String to, int amount) {
            accounts.execute(from, () -> balances.merge(from, -amount, Integer::sum));
            accounts.execute(to, () -> balances.merge(to, amount, Integer::sum));
        }

        int total() {
            return balances.values().stream().mapToInt(Integer::intValue).sum();
        }
    }
}

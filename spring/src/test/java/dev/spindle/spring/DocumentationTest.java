// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import static dev.spindle.spring.Contexts3And4.runner;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The code of docs/spring.md, and its table. */
class DocumentationTest {
    record Order(String account, int number) {}

    record Receipt(int number) {}

    static class Ledger {
        Receipt book(Order order) {
            return new Receipt(order.number());
        }
    }

    static class Screen {
        final CompletableFuture<String> drawn = new CompletableFuture<>();

        void redraw(String account) {
            drawn.complete(account);
        }
    }

    static class Alarms {
        final List<String> raised = new ArrayList<>();

        void raise(String what) {
            raised.add(what);
        }
    }

    static class Bookings {
        private final Ledger ledger;
        private final Screen screen;

        Bookings(Ledger ledger, Screen screen) {
            this.ledger = ledger;
            this.screen = screen;
        }

        // snippet: spring-keyed-async
        @KeyedAsync(key = "#order.account")
        public CompletableFuture<Receipt> book(Order order) {
            return CompletableFuture.completedFuture(ledger.book(order)); // in order for each account
        }

        @KeyedAsync(key = "#account", mode = KeyedAsync.Mode.COALESCING)
        public void redraw(String account) {
            screen.redraw(account); // only the newest of the calls that wait
        }
        // end
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {
        // snippet: spring-customizer
        @Bean
        SpindleCustomizer alarms(Alarms alarms) {
            return (pool, builder) -> builder.onStuck(activity -> alarms.raise(pool + ": " + activity.owner()));
        }
        // end
    }

    @Test
    void code_ofTheDocument_runs() {
        Screen screen = new Screen();
        runner("pools.orders.max-threads=64", "pools.orders.close-timeout=20s")
                .withUserConfiguration(Application.class)
                .withBean(Alarms.class)
                .withBean(Ledger.class)
                .withBean(Screen.class, () -> screen)
                .withBean(Bookings.class)
                .run(context -> {
                    Bookings bookings = context.getBean(Bookings.class);

                    assertThat(bookings.book(new Order("a", 7)).get(20, TimeUnit.SECONDS))
                            .isEqualTo(new Receipt(7));
                    bookings.redraw("a");
                    assertThat(screen.drawn.get(20, TimeUnit.SECONDS)).isEqualTo("a");
                });
    }

    @Test
    void table_ofTheDocument_hasAllProperties() throws IOException {
        Path document = Path.of("docs/spring.md");
        while (!Files.exists(document)) {
            document = Path.of("..").resolve(document);
        }
        Set<String> rows = new TreeSet<>();
        Matcher row = Pattern.compile("(?m)^\\| `([a-z.-]+)` \\|").matcher(Files.readString(document));
        while (row.find()) {
            rows.add(String.valueOf(row.group(1)).replace("spindle.", ""));
        }
        Set<String> known = new TreeSet<>(SpindleProperties.ofPool());
        known.addAll(SpindleProperties.ofModule());
        rows.removeAll(Arrays.asList("key", "pool", "space", "mode"));

        assertThat(rows).isEqualTo(known);
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.spring;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.spring.KeyedAsync;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A web application, which the tests start as a process with each major of Boot. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableAsync
@EnableScheduling
class Application {
    /** What the application prints before its port. */
    static final String LISTENS = "listens on ";

    /** Starts the application. */
    public static void main(String[] arguments) {
        Object unused = SpringApplication.run(Application.class, arguments);
    }

    @SuppressWarnings("SystemOut") // the test reads it
    @EventListener(ApplicationReadyEvent.class)
    void ready(ApplicationReadyEvent event) {
        ConfigurableApplicationContext context = event.getApplicationContext();
        System.out.println(LISTENS + context.getEnvironment().getProperty("local.server.port"));
    }

    // snippet: spring-inject
    @RestController
    static class OrderController {
        private final Keyed<String> accounts;

        OrderController(Spindle orders) {
            accounts = orders.keyed("accounts");
        }

        @PostMapping("/orders/{account}")
        CompletableFuture<String> order(@PathVariable String account) {
            return accounts.submit(account, () -> "booked for " + account);
        }
    }
    // end

    /** Bookings of accounts, whose state needs no lock. */
    @Component
    static class Bookings {
        private final Map<String, List<Integer>> booked = new ConcurrentHashMap<>();

        @KeyedAsync(key = "#account", space = "accounts")
        public CompletableFuture<List<Integer>> book(String account, int number) {
            List<Integer> numbers = booked.computeIfAbsent(account, unused -> new ArrayList<>());
            numbers.add(number);
            return CompletableFuture.completedFuture(List.copyOf(numbers));
        }

        @Async
        public CompletableFuture<String> thread() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    /** A tick, for its thread. */
    @Component
    static class Clock {
        private final CompletableFuture<String> thread = new CompletableFuture<>();

        @Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
        public void tick() {
            thread.complete(Thread.currentThread().getName());
        }

        CompletableFuture<String> thread() {
            return thread;
        }
    }

    /** What the tests ask for. */
    @RestController
    static class Checks {
        private final Bookings bookings;
        private final Clock clock;
        private final Spindle orders;

        Checks(Bookings bookings, Clock clock, Spindle orders) {
            this.bookings = bookings;
            this.clock = clock;
            this.orders = orders;
        }

        /** Books the numbers from 0 to {@code count}, and answers when the last is booked. */
        @PostMapping("/batches/{account}/{count}")
        CompletableFuture<List<Integer>> batch(@PathVariable String account, @PathVariable int count) {
            CompletableFuture<List<Integer>> last = CompletableFuture.completedFuture(List.of());
            for (int i = 0; i < count; i++) {
                last = bookings.book(account, i);
            }
            return last;
        }

        /** The threads of an {@code @Async} and a {@code @Scheduled} method, and of Spring MVC's own hand-over. */
        @GetMapping("/threads")
        List<String> threads() throws Exception {
            return List.of(
                    bookings.thread().get(20, TimeUnit.SECONDS), clock.thread().get(20, TimeUnit.SECONDS));
        }

        @GetMapping("/callable")
        Callable<String> callable() {
            return () -> Thread.currentThread().getName();
        }

        /** Lets a task of the account run until the process ends, whatever interrupts it. */
        @PostMapping("/stuck/{account}")
        String stuck(@PathVariable String account) throws InterruptedException {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch never = new CountDownLatch(1);
            orders.keyed("accounts").execute(account, () -> {
                begun.countDown();
                while (never.getCount() > 0) {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        // on purpose
                    }
                }
            });
            begun.await();
            return "stuck";
        }

        /** Lets a task of the account take a moment; the answer does not wait for it. */
        @PostMapping("/late/{account}")
        String late(@PathVariable String account) {
            Runnable booking = () -> join(bookings.book(account, 1));
            Object unused = orders.schedule(booking, 300, TimeUnit.MILLISECONDS);
            return "accepted";
        }

        private static void join(CompletableFuture<?> future) {
            Object unused = future.join();
        }
    }
}

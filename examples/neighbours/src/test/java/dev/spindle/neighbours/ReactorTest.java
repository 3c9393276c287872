// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

@Timeout(60)
class ReactorTest {
    private static final int EVENTS = 300;

    @Test
    void publishOn_schedulerOfAKey_handlesTheEventsOfAllStreamsOneAtATimeInOrder() {
        Watch watch = new Watch();
        try (Spindle spindle = Spindle.create()) {
            Keyed<String> accounts = spindle.keyed("accounts");
            handle(account -> Schedulers.fromExecutorService(accounts.at(account)), watch);
            // snippet: reactor
            Scheduler alice = Schedulers.fromExecutorService(accounts.at("alice"));
            Flux<Integer> orders = Flux.range(0, 100).publishOn(alice);
            Flux<Integer> payments = Flux.range(0, 100).publishOn(alice); // shares the key, and so alice's state
            // end
            Flux.merge(orders, payments).blockLast();
            alice.dispose(); // has no effect on the key
            assertThat(accounts.submit("alice", () -> 1).join()).isEqualTo(1);
        }

        assertThat(watch.ran()).isEqualTo(EVENTS);
        assertThat(watch.disorder()).isZero();
    }

    @Test
    void control_schedulerOfAPlainPool_overlaps() {
        Watch watch = new Watch();
        ExecutorService pool = Executors.newFixedThreadPool(8);
        handle(account -> Schedulers.fromExecutorService(pool), watch);
        pool.shutdown();

        assertThat(watch.disorder()).isPositive();
    }

    /** Each event is a stream of its own, as the requests of a server are. */
    private static void handle(Function<String, Scheduler> schedulers, Watch watch) {
        Scheduler scheduler = schedulers.apply("alice");
        Flux.range(0, EVENTS)
                .flatMap(
                        number -> Mono.just(number).publishOn(scheduler).doOnNext(event -> watch.run("alice", event)),
                        EVENTS)
                .blockLast();
    }
}

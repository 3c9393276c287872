// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.LogicalExecutor;
import dev.spindle.Spindle;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LiveTest {
    private static DashboardBuilder fast(Spindle spindle) {
        DashboardBuilder builder = Dashboard.builder(spindle);
        builder.tickMillis = 1;
        builder.duty = 0;
        return builder;
    }

    private static Thread ticker(Dashboard page) {
        return requireNonNull(page.server().ticker().thread());
    }

    private static void awaitEnd(Dashboard page, Thread ticker) throws InterruptedException {
        ticker.join(Browser.LONG.toMillis());
        assertThat(ticker.isAlive()).isFalse();
        assertThat(page.server().ticker().thread()).isNull();
    }

    @Test
    void ticker_livesFromTheFirstViewerToTheLast() throws Exception {
        try (Spindle spindle = Spindle.create();
                Dashboard page = fast(spindle).build()) {
            Browser browser = new Browser(page);
            assertThat(page.server().ticker().thread()).isNull();

            Thread ticker;
            try (Browser.Live first = browser.live()) {
                String hello = first.next("hello");
                assertThat(hello)
                        .contains(
                                "\"name\":",
                                "\"pid\":" + ProcessHandle.current().pid(),
                                "\"stuck\":30000");
                ticker = ticker(page);
                try (Browser.Live second = browser.live()) {
                    assertThat(second.next("")).isNotNull();
                    assertThat(page.server().ticker().thread()).isSameAs(ticker);
                }
                assertThat(first.next("")).isNotNull();
                assertThat(ticker.isAlive()).isTrue();
                assertThat(ticker.isDaemon()).isTrue();
            }

            awaitEnd(page, ticker);
            try (Browser.Live again = browser.live()) {
                assertThat(again.next("")).isNotNull();
            }
        }
    }

    @Test
    void frame_isMadeOnceForAllViewers() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            // snippet: dashboard
            Dashboard page = Dashboard.open(spindle); // on loopback; the log has its address
            // end
            Browser browser = new Browser(page);
            try (Browser.Live first = browser.live();
                    Browser.Live second = browser.live()) {
                String both = first.frame(frame -> frame.contains("\"clients\":2"));

                assertThat(second.frame(both::equals)).isEqualTo(both);
            }
        }
    }

    @Test
    void slowViewer_holdsUpNoOther() throws Exception {
        try (Spindle spindle = Spindle.create();
                Dashboard page = fast(spindle).build()) {
            Browser browser = new Browser(page);
            try (Socket slow = browser.socket()) {
                slow.getOutputStream()
                        .write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                slow.getOutputStream().flush();
                assertThat(slow.getInputStream().read()).isNotNegative(); // and nothing more is read
                Viewer stuck = page.server().ticker().viewers().get(0);
                try (Browser.Live quick = browser.live()) {
                    while (stuck.skipped() < 200) { // from then on the buffers of its connection are full
                        assertThat(quick.next("")).isNotNull();
                    }
                    for (int i = 0; i < 100; i++) {
                        assertThat(quick.next("")).isNotNull();
                    }
                    assertThat(page.server().ticker().viewers()).contains(stuck);
                }
            }
        }
    }

    @Test
    void slowViewer_isEndedInTheEnd() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            DashboardBuilder builder = fast(spindle);
            builder.stalledMillis = 200;
            try (Dashboard page = builder.build();
                    Socket slow = new Browser(page).socket()) {
                slow.getOutputStream()
                        .write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                slow.getOutputStream().flush();
                assertThat(slow.getInputStream().read()).isNotNegative(); // and nothing more is read

                awaitEnd(page, ticker(page));
            }
        }
    }

    @Test
    void close_endsViewersAndThreads() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            Dashboard page = fast(spindle).build();
            try (Browser.Live live = new Browser(page).live()) {
                assertThat(live.next("")).isNotNull();
                Thread ticker = ticker(page);

                page.close();
                page.close();

                awaitEnd(page, ticker);
                try {
                    while (live.next("") != null) {}
                } catch (IOException e) {
                    assertThat(e).isNotNull(); // the connection was closed within an event
                }
            }
        }
    }

    @Test
    void termination_closesThePage() throws Exception {
        Spindle spindle = Spindle.create();
        Dashboard page = fast(spindle).build();
        try (Browser.Live live = new Browser(page).live()) {
            assertThat(live.next("")).isNotNull();
            Thread ticker = ticker(page);

            spindle.close();

            awaitEnd(page, ticker);
        }
    }

    @Test
    void keys_areReadByDuty() throws Exception {
        try (Spindle spindle =
                Spindle.builder().keyKeepAlive(Duration.ofHours(1)).build()) {
            Keyed<Integer> orders = spindle.keyed("orders");
            for (int key = 0; key < 10_000; key++) {
                orders.execute(key, () -> {});
            }
            orders.quiesce().get();
            DashboardBuilder builder = fast(spindle);
            builder.duty = 1_000;
            try (Dashboard page = builder.build();
                    Browser.Live live = new Browser(page).live()) {
                assertThat(live.next("keys")).contains("\"old\":[]");
                assertThat(live.frame(frame -> !frame.contains("\"keys\":{\"ago\":0,")))
                        .contains("\"live\":10000");
            }
        }
    }

    @Test
    void parts_areListedWithTheirFigures() throws Exception {
        try (Spindle spindle = Spindle.create();
                Dashboard page = fast(spindle).build();
                Browser.Live live = new Browser(page).live()) {
            Keyed<Integer> quick = spindle.keyed("short");
            for (int i = 0; i < 2_000; i++) {
                quick.execute(i % 16, () -> {});
            }
            live.frame(frame -> !frame.contains("\"time\":[-1,-1,-1,-1,"));
            LogicalExecutor reads = spindle.executor("reads", 3);
            CountDownLatch release = new CountDownLatch(1);
            for (int i = 0; i < 5; i++) {
                reads.execute(() -> await(release));
            }
            Keyed<String> orders = spindle.keyed("orders");
            orders.execute("order-1", () -> await(release));

            live.event("keys", keys -> keys.contains("\"reads\",3,3,2,-1,") && keys.contains("\"orders\",1,-1,0,-1,"));
            release.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void values_move() throws Exception {
        try (Spindle spindle = Spindle.create();
                Dashboard page = fast(spindle).build();
                Browser.Live live = new Browser(page).live()) {
            Keyed<Integer> orders = spindle.keyed("orders");
            CountDownLatch ran = new CountDownLatch(100);
            for (int i = 0; i < 100; i++) {
                orders.execute(i, ran::countDown);
            }
            ran.await();

            live.frame(frame -> frame.contains("\"sum\":{\"done\":100,"));
            live.frame(frame -> frame.contains("\"live\":100,"));
        }
    }
}

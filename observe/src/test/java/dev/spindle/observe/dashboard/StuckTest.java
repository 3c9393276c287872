// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.LogicalExecutor;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reader who does not know the code finds on the page which key is stuck, and on what. */
@Timeout(120)
class StuckTest {
    private final Spindle spindle = Spindle.builder()
            .maxThreads(16)
            .keyKeepAlive(Duration.ofHours(1))
            .stuckAfter(Duration.ofMillis(1_200)) // stacks are read when a task is a second old
            .build();
    private final Keyed<String> orders = spindle.keyed("orders");
    private final CountDownLatch release = new CountDownLatch(1);
    private Dashboard page;
    private Browser browser;
    private Browser.Live live;

    @BeforeEach
    void open() {
        open(false);
    }

    private void open(boolean hideKeys) {
        DashboardBuilder builder = Dashboard.builder(spindle).hideKeys(hideKeys);
        builder.tickMillis = 5;
        builder.duty = 0;
        page = builder.build();
        browser = new Browser(page);
        live = browser.live();
    }

    @AfterEach
    void close() {
        release.countDown();
        live.close();
        page.close();
        spindle.close();
    }

    private void occupy(CountDownLatch busy) {
        busy.countDown();
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pass(ReentrantLock lock) {
        lock.lock();
        try {
            assertThat(lock.isHeldByCurrentThread()).isTrue();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the row of a key in a frame that accepts it, as JSON. */
    private String row(String key, String... parts) throws IOException {
        Pattern row = Pattern.compile("\\{\"s\":[^{}]*\"k\":\"" + Pattern.quote(key) + "\"[^{}]*\\}");
        String[] found = {""};
        live.frame(frame -> {
            Matcher matcher = row.matcher(frame);
            found[0] = matcher.find() ? String.valueOf(matcher.group()) : "";
            if (found[0].isEmpty()) {
                return false;
            }
            for (String part : parts) {
                if (!found[0].contains(part)) {
                    return false;
                }
            }
            return true;
        });
        return found[0];
    }

    private static String number(String row, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\":(\\d+)").matcher(row);
        assertThat(matcher.find()).as(row).isTrue();
        return String.valueOf(matcher.group(1));
    }

    @Test
    void stuckKey_amongTenThousand_isListedWithItsCause() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            orders.execute("order-" + i, () -> {});
        }
        CountDownLatch busy = new CountDownLatch(1);
        orders.execute("order-4711", () -> occupy(busy));
        busy.await();
        orders.execute("order-4711", () -> {});
        orders.execute("order-4711", () -> {});

        String row = row("order-4711", "\"deep\":2", "StuckTest");

        assertThat(row)
                .contains(
                        "\"s\":\"orders\"",
                        "\"kind\":\"key\"",
                        "\"on\":\"latch\"",
                        "\"what\":\"for a CountDownLatch\"",
                        "\"at\":\"StuckTest.occupy (StuckTest.java:");
        String stack = browser.get("/stack?id=" + number(row, "th")).body();
        assertThat(stack).contains("StuckTest.occupy", "CountDownLatch.await");
        live.frame(frame -> frame.contains("\"stuckAll\":1,") && frame.contains("\"live\":10000,"));
        live.event("keys", keys -> keys.contains("[\"orders\",\"order-4711\",\"key\",2,"));
        assertThat(browser.get("/find?q=4711").body())
                .contains("[\"orders\",\"order-4711\",\"key\",2,")
                .doesNotContain("order-471\"");
        assertThat(browser.get("/snapshot").body()).contains("\"k\":\"order-4711\"", "\"lists\":{\"t\":");
    }

    @Test
    void stuckKeys_onALock_nameTheKeyThatHoldsIt() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch busy = new CountDownLatch(1);
        orders.execute("order-12", () -> {
            lock.lock();
            try {
                occupy(busy);
            } finally {
                lock.unlock();
            }
        });
        busy.await();
        orders.execute("order-77", () -> pass(lock));

        String cause = row("order-12", "\"on\":\"latch\"");
        String row = row("order-77", "\"on\":\"lock\"");

        assertThat(row).contains("\"what\":\"for a ReentrantLock held by\"", "\"by\":\"order-12\"", "\"cyc\":0");
        assertThat(number(row, "byTh")).isEqualTo(number(cause, "th"));
    }

    @Test
    void stuckKeys_onEachOthersLocks_areACycle() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        try {
            // Monitors would be locked forever; these waits end when they are interrupted.
            ReentrantLock[] locks = {new ReentrantLock(), new ReentrantLock()};
            for (int i = 0; i < 2; i++) {
                int own = i;
                orders.execute("order-" + i, () -> {
                    locks[own].lock();
                    try {
                        both.countDown();
                        both.await();
                        locks[1 - own].lockInterruptibly();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        locks[own].unlock();
                    }
                });
            }

            assertThat(row("order-0", "\"on\":\"lock\"", "\"cyc\":1")).contains("\"by\":\"order-1\"");
            assertThat(row("order-1", "\"on\":\"lock\"", "\"cyc\":1")).contains("\"by\":\"order-0\"");
        } finally {
            List<Runnable> unused = spindle.shutdownNow();
        }
    }

    @Test
    void stuckKey_onTheResultOfAnother_namesIt() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<String> first = orders.submit("order-1", () -> {
            occupy(busy);
            return "done";
        });
        busy.await();
        orders.execute("order-2", first::join);

        assertThat(row("order-2", "\"by\":\"order-1\""))
                .contains("\"on\":\"future\"", "\"what\":\"for the result of\"");
        live.event("keys", keys -> keys.contains("[\"orders\",\"order-2\",\"orders\",\"order-1\",\"result\","));
    }

    @Test
    void openAsyncTask_isStuckWithoutAWorker() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<String> unused = orders.submitAsync("order-9001", () -> answer);
        orders.execute("order-9001", () -> {});

        String row = row("order-9001", "\"deep\":1");

        assertThat(row).contains("\"on\":\"stage\"", "\"what\":\"for the stage of its async task\"", "\"th\":0");
        answer.complete("now");
        live.frame(frame -> frame.contains("\"stuckAll\":0"));
    }

    @Test
    void tasksWithoutAKey_areNamedByTheirKind() throws Exception {
        CountDownLatch busy = new CountDownLatch(3);
        LogicalExecutor reads = spindle.executor("reads", 2);
        Strand journal = spindle.strand("journal");
        reads.execute(() -> occupy(busy));
        journal.execute(() -> occupy(busy));
        spindle.execute(() -> occupy(busy));

        assertThat(row("reads")).contains("\"kind\":\"executor\"", "\"s\":null");
        assertThat(row("journal")).contains("\"kind\":\"strand\"", "\"s\":null");
        assertThat(row("a plain task")).contains("\"kind\":\"task\"");
        live.frame(frame -> frame.contains("\"stuckAll\":3,") && frame.contains("\"block\":3,"));
    }

    @Test
    void keys_thatNoWorkerTakes_waitForAWorker() throws Exception {
        CountDownLatch busy = new CountDownLatch(16);
        for (int i = 0; i < 16; i++) {
            orders.execute("busy-" + i, () -> occupy(busy));
        }
        busy.await();
        orders.execute("waiting", () -> {});

        assertThat(row("waiting", "\"on\":\"worker\"")).contains("\"deep\":1", "\"what\":\"for a worker\"");
        live.frame(frame -> frame.contains("\"stuckAll\":17,"));
    }

    @Test
    void key_ofASpaceAtItsLimit_waitsForATurn() throws Exception {
        Keyed<String> few =
                spindle.<String>keyedBuilder("few").maxConcurrency(1).build();
        CountDownLatch busy = new CountDownLatch(1);
        few.execute("first", () -> occupy(busy));
        busy.await();
        few.execute("second", () -> {});

        assertThat(row("second", "\"on\":\"turn\""))
                .contains("\"what\":\"for a turn: as many keys of few run as may\"", "\"deep\":1");
        few.setMaxConcurrency(2);
        live.frame(frame -> frame.contains("\"stuckAll\":1,"));
    }

    // ---------------------------------------------------------------- names

    @Test
    void names_areQuoted() throws Exception {
        String key = "<img src=x onerror=alert(1)>\"\\\n\u202e\ud800";
        CountDownLatch busy = new CountDownLatch(1);
        orders.execute(key, () -> occupy(busy));
        busy.await();

        String frame = live.frame(f -> f.contains("onerror"));

        assertThat(frame).contains("<img src=x onerror=alert(1)>\\\"\\\\\\u000a\u202e\\ud800");
    }

    @Test
    void names_thatAreLong_loseTheirMiddle() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        orders.execute("begin" + "x".repeat(100_000) + "end", () -> occupy(busy));
        busy.await();

        String frame = live.frame(f -> f.contains("begin"));

        assertThat(frame).contains("xxend\"").hasSizeLessThan(10_000);
    }

    @Test
    void toString_thatThrows_isNamed() throws Exception {
        Keyed<Object> any = spindle.keyed("any");
        CountDownLatch busy = new CountDownLatch(2);
        any.execute(new Thrower(), () -> occupy(busy));
        any.execute(new Nothing(), () -> occupy(busy));
        busy.await();

        live.frame(
                f -> f.contains("(toString of " + Thrower.class.getName() + " threw java.lang.IllegalStateException)"));
        live.frame(f -> f.contains("(toString of " + Nothing.class.getName() + " returned null)"));
        assertThat(browser.get("/find?q=a").statusCode()).isEqualTo(200);
    }

    private static final class Thrower {
        @Override
        public String toString() {
            throw new IllegalStateException("secret");
        }
    }

    private static final class Nothing {
        @Override
        @SuppressWarnings({"NullAway", "ToStringReturnsNull"}) // as users do
        public String toString() {
            return null;
        }
    }

    @Test
    void names_thatAreHidden_showNowhere() throws Exception {
        live.close();
        page.close();
        open(true);
        CountDownLatch busy = new CountDownLatch(2);
        ReentrantLock lock = new ReentrantLock();
        CompletableFuture<String> first = orders.submit("secret-1", () -> {
            lock.lock();
            try {
                occupy(busy);
            } finally {
                lock.unlock();
            }
            return "done";
        });
        spindle.strand("secret-strand").execute(() -> occupy(busy));
        busy.await();
        orders.execute("secret-2", first::join);
        orders.execute("secret-3", () -> pass(lock));
        CompletableFuture<String> never = new CompletableFuture<>();
        CompletableFuture<String> unused = orders.submitAsync("secret-4", () -> never);

        String keys = live.event("keys", text -> text.contains("\"result\""));
        String frame = live.frame(
                text -> text.contains("\"stuckAll\":5,") && text.contains("held by") && text.contains("result of"));
        String snapshot = browser.get("/snapshot").body();

        assertThat(keys + frame + snapshot).doesNotContain("secret");
        assertThat(frame).containsPattern("\"s\":\"orders\",\"k\":\"#[0-9a-f]{14}\"");
        Matcher thread = Pattern.compile("\"th\":([1-9]\\d*)").matcher(frame);
        assertThat(thread.find()).isTrue();
        assertThat(browser.get("/stack?id=" + thread.group(1)).body())
                .contains("at ")
                .doesNotContain("secret");
        assertThat(browser.get("/find?q=secret").body()).contains("\"rows\":[]");
        assertThat(browser.get("/find?q=e").body()).contains("\"rows\":[]");
        never.complete("now");
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.observe.dashboard.Dashboard;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** M5: a reader who knows no code finds, on the page alone, which of 10,000 keys is stuck, and on what. */
@Timeout(180)
class ReaderTest {
    private static final int KEYS = 10_000;

    /** The sentence on top, which ends with what the key waits for. */
    private static final Pattern SENTENCE = Pattern.compile(
            "^1 key stuck for (\\d+ (?:seconds?|minutes?)): (\\S+) (waits for an answer on a socket)\\. ");

    @Test
    void m5_stuckKey_isFoundOnThePageAloneWithinAMinute() throws Exception {
        String stuck = "order-" + ThreadLocalRandom.current().nextInt(KEYS);
        CountDownLatch connected = new CountDownLatch(1);
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket connection = new Socket(silent.getInetAddress(), silent.getLocalPort());
                Spindle spindle = spindle();
                Dashboard dashboard = Dashboard.open(spindle);
                Chromium chromium = new Chromium()) {
            Keyed<String> orders = spindle.keyed("orders");
            for (int i = 0; i < KEYS; i++) {
                orders.execute("order-" + i, () -> {});
            }
            orders.execute(stuck, () -> charge(connection, connected));
            connected.await();
            int[] next = {0};
            Future<?> traffic = spindle.scheduleAtFixedRate(
                    () -> {
                        for (int i = 0; i < 20; i++) {
                            orders.execute("order-" + next[0]++ % KEYS, () -> {});
                        }
                    },
                    0,
                    5,
                    TimeUnit.MILLISECONDS);
            try {
                long begin = System.nanoTime();
                Page page = chromium.show(dashboard.uri(), 1440, 900, ColorScheme.LIGHT);
                page.waitForFunction(
                        "() => document.querySelector('h1').textContent.includes('on a socket')",
                        null,
                        new Page.WaitForFunctionOptions().setTimeout(60_000));
                Matcher sentence = SENTENCE.matcher(page.locator("h1").textContent());
                assertThat(sentence.find()).as(page.locator("h1").textContent()).isTrue();
                Locator row = page.locator("#stuck-rows .s").first();
                row.click();
                page.waitForFunction(
                        "() => document.querySelector('#stuck-rows pre')?.textContent.includes('ReaderTest.charge')");
                Duration took = Duration.ofNanos(System.nanoTime() - begin);

                assertThat(sentence.group(2)).isEqualTo(stuck);
                assertThat(row.textContent()).contains("orders/" + stuck, sentence.group(3), "ReaderTest.charge");
                assertThat(page.locator("#stuck-rows .s").count()).isEqualTo(1);
                assertThat(page.locator("#t-old tr.x").count()).isEqualTo(1);
                assertThat(took).isLessThan(Duration.ofMinutes(1));
                chromium.verify();
                page.close();
            } finally {
                boolean unused = traffic.cancel(false);
                connection.shutdownInput(); // ends the read
            }
        }
    }

    private static Spindle spindle() {
        return Spindle.builder()
                .name("shop")
                .keyKeepAlive(Duration.ofHours(1))
                .stuckAfter(Duration.ofSeconds(2))
                .build();
    }

    private static void charge(Socket connection, CountDownLatch connected) {
        try {
            InputStream answer = connection.getInputStream();
            connected.countDown();
            int unused = answer.read();
        } catch (IOException e) {
            return; // the test has ended
        }
    }
}

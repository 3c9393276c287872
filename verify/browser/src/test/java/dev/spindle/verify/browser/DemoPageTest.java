// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.browser;

import static dev.spindle.verify.browser.Chromium.awaitText;
import static dev.spindle.verify.browser.Chromium.picture;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.spindle.demo.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The demo with {@code --dashboard}, in a process of its own, as a person sees it in Chromium. */
@Timeout(300)
class DemoPageTest {
    private static final Pattern STARTED = Pattern.compile("The flights: (\\S+), the spindle: (\\S+)");

    /** The pixels of the sky with the colour of what is stuck. */
    private static final String STUCK_PIXELS = """
            () => {
                const sky = document.getElementById('sky');
                const style = getComputedStyle(document.documentElement).getPropertyValue('--stuck').trim();
                const [r, g, b] = [1, 3, 5].map((i) => parseInt(style.slice(i, i + 2), 16));
                const all = sky.getContext('2d').getImageData(0, 0, sky.width, sky.height).data;
                let found = 0;
                for (let i = 0; i < all.length; i += 4)
                    if (all[i] === r && all[i + 1] === g && all[i + 2] === b) found++;
                return found;
            }""";

    /** Whether there were at least three threads more than there are now, and three more than at another time. */
    private static final String COME_AND_GONE = """
            () => {
                const now = document.querySelectorAll('#cells i').length;
                window.least = Math.min(window.least ?? now, now);
                window.rise = Math.max(window.rise ?? 0, now - window.least);
                window.most = Math.max(window.most ?? 0, now);
                return window.rise >= 3 && window.most - now >= 3;
            }""";

    private final Chromium chromium = new Chromium();
    private Process process;
    private URI flights;
    private URI spindle;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "demo",
                        "--dashboard")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        Matcher line = STARTED.matcher(requireNonNull(output.readLine(), "the demo printed nothing"));
        assertThat(line.find()).isTrue();
        flights = URI.create(line.group(1));
        spindle = URI.create(line.group(2));
    }

    @AfterEach
    void end() {
        chromium.close();
        process.destroyForcibly();
    }

    @Test
    void demo_whileLookUpsHang_showsOneAircraftStuckAndTheOthersOnTime() throws Exception {
        try (Page page = chromium.show(flights, 1440, 900, ColorScheme.LIGHT)) {
            awaitText(page, "h1", "All are on time.");
            page.waitForFunction(COME_AND_GONE, null, new Page.WaitForFunctionOptions().setTimeout(120_000));
            assertThat(page.evaluate(STUCK_PIXELS)).isEqualTo(0);
            picture(page, "demo-light-1440");

            page.locator("#switch").click();

            awaitText(page, "h1", "1 aircraft stuck: ");
            awaitText(page, "h1", "All others are on time.");
            assertThat(page.title()).isEqualTo("(1 stuck) Flights");
            assertThat(page.locator("#switch").getAttribute("aria-pressed")).isEqualTo("true");
            String tail = page.locator("#rows tr.x td").first().textContent();
            assertThat(page.locator("h1").textContent()).contains(tail);
            assertThat(page.locator("#cells .x").count()).isEqualTo(1);
            assertThat((int) page.evaluate(STUCK_PIXELS)).isGreaterThan(50);
            page.waitForFunction("() => document.querySelectorAll('#cells .r').length >= 2"); // the others go on
            picture(page, "demo-hangs-light-1440");
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
            picture(page, "demo-hangs-dark-1440");
            page.setViewportSize(420, 900);
            picture(page, "demo-hangs-dark-420");

            assertThat(page.locator("#more").getAttribute("href")).isEqualTo(spindle.toString());
            try (Page own = chromium.show(spindle, 1440, 900, ColorScheme.LIGHT)) {
                awaitText(own, "h1", "1 key stuck for ");
                awaitText(own, "h1", tail + " waits for a condition.");
                awaitText(own, "#stuck-rows", "LookUps.awaitAnswer");
                picture(own, "demo-spindle-light-1440");
            }

            page.locator("#switch").click();
            awaitText(page, "h1", "in the air. All are on time.");
            assertThat(page.locator("#cells .x").count()).isZero();
        }
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        chromium.forgive("willReadFrequently"); // of this test
        chromium.verify();
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.browser;

import static dev.spindle.verify.browser.Chromium.awaitText;
import static dev.spindle.verify.browser.Chromium.picture;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.spindle.observe.dashboard.Dashboard;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The live page, as a person sees it in Chromium. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    private final Shop shop = new Shop();
    private final Dashboard dashboard = Dashboard.open(shop.spindle);
    private final Chromium chromium = new Chromium();

    @AfterAll
    void close() {
        chromium.close();
        dashboard.close();
        shop.close();
    }

    @AfterEach
    void noComplaints() {
        chromium.verify();
    }

    private Page show(Dashboard of, int width, int height, ColorScheme colours) {
        return chromium.show(of.uri(), width, height, colours);
    }

    // ---------------------------------------------------------------- what it shows

    @Test
    void page_showsValuesThatMove() {
        try (Page page = show(dashboard, 1440, 900, ColorScheme.LIGHT)) {
            for (String values : List.of("#c-rate .vals", "#foot", "#line2")) {
                String before = page.locator(values).textContent();
                page.waitForFunction(
                        "([s, t]) => document.querySelector(s).textContent !== t", List.of(values, before));
            }
            assertThat(page.locator("#facts").textContent())
                    .contains("process " + ProcessHandle.current().pid());
            awaitText(page, "#n-old", "of 10,");
            assertThat(page.locator("#cells i").count()).isGreaterThanOrEqualTo(4);
            assertThat(page.locator(".u-over").count()).isEqualTo(4); // charts
            awaitText(page, "#link", "live");
            assertThat(page.locator("h1").count()).isEqualTo(1);
        }
    }

    @Test
    void page_namesTheStuckKeyAndItsCause() throws IOException {
        try (Page page = show(dashboard, 1440, 900, ColorScheme.DARK)) {
            awaitText(page, "h1", "order-12, which waits for");
            awaitText(page, "#n-stuck", "causes first");
            awaitText(page, "#stuck-rows", "order-9001");
            assertThat(page.locator("h1").textContent()).contains("5 keys stuck, the longest for");
            assertThat(page.title()).startsWith("(5 stuck)");
            Locator first = page.locator("#stuck-rows .s").first();
            assertThat(first.textContent()).contains("orders/order-12", "waits for a CountDownLatch", "Shop.charge");

            first.click();

            awaitText(page, "#stuck-rows pre", "Shop.charge");
            assertThat(first.getAttribute("aria-expanded")).isEqualTo("true");
            first.click();
            assertThat(page.locator("#stuck-rows pre").count()).isZero();
            awaitText(page, "#graph-box", "order-77");
            page.locator("summary").click();
            awaitText(page, "#t-workers", "order-12");
            page.locator("summary").click();
            page.locator("#graph").hover();
            awaitText(page, "#parts", "lookups");
            awaitText(page, "#parts", "settlement/replicate");
            picture(page, "night-dark-1440");
        }
    }

    @Test
    void page_fitsWindows() throws IOException {
        for (int width : List.of(1440, 1000, 420)) {
            try (Page page = show(dashboard, width, 900, ColorScheme.LIGHT)) {
                awaitText(page, "#n-stuck", "causes first");
                awaitText(page, "#c-rate .vals", "done");
                picture(page, "night-light-" + width);
            }
        }
    }

    @Test
    void page_ofAQuietProcess_saysSo() throws IOException {
        try (Shop calm = new Shop(false);
                Dashboard day = Dashboard.open(calm.spindle);
                Page page = show(day, 1440, 900, ColorScheme.LIGHT)) {
            awaitText(page, "h1", "a second");
            awaitText(page, "h1", "nothing stuck");
            awaitText(page, "#no-stuck", "Nothing has run, been open or waited longer than 30 s.");
            if ("write".equals(System.getProperty("pictures"))) {
                awaitText(page, "#foot", "this page: 0."); // a minute, once the code is compiled
            }
            picture(page, "day-light-1440");
        }
    }

    @Test
    void page_showsTheParts() {
        try (Page page = show(dashboard, 1440, 900, ColorScheme.LIGHT)) {
            for (String part : List.of("lookups", "0 of 4")) {
                awaitText(page, "#p-execs", part);
            }
            for (String part : List.of("shop", "mails")) {
                awaitText(page, "#p-boxes", part);
            }
            for (String part : List.of("settlement", "settlement/replicate", "/s")) {
                awaitText(page, "#p-pipes", part);
            }
            for (String part : List.of("payments", "of 8", "bank")) {
                awaitText(page, "#p-calls", part);
            }
            assertThat(page.locator("#no-parts").isVisible()).isFalse();
        }
    }

    @Test
    void timesAndHistory_areThereForALaterViewer() {
        try (Page page = show(dashboard, 1440, 900, ColorScheme.LIGHT)) {
            awaitText(page, "#c-time .vals", "s"); // a unit: µs or ms
        }
        try (Page later = show(dashboard, 1440, 900, ColorScheme.LIGHT)) {
            awaitText(later, "#n-workers", "of at most 64");
            assertThat(later.locator("#c-time .vals").textContent()).doesNotContain("to –");
        }
    }

    @Test
    void names_areShownAndNotInterpreted() {
        try (Page page = show(dashboard, 1440, 900, ColorScheme.LIGHT)) {
            awaitText(page, "#stuck-rows", "<img src=");
            assertThat(page.locator("#stuck-rows img, #graph-box img, h1 img").count())
                    .isZero();
            assertThat(page.evaluate("window.pwned === undefined")).isEqualTo(true);
            assertThat(page.locator("#stuck-rows [title*=onerror]").first().getAttribute("title"))
                    .isEqualTo("orders/<img src=x onerror=\"pwned=1\">‹202e›");
        }
    }

    // ---------------------------------------------------------------- what a person does

    @Test
    void keyboard_findsHoldsAndCloses() {
        try (Page page = show(dashboard, 1440, 900, ColorScheme.LIGHT)) {
            page.keyboard().press("/");
            assertThat(page.evaluate("document.activeElement.id")).isEqualTo("q");
            page.keyboard().type("order-9001");
            page.keyboard().press("Enter");
            awaitText(page, "#found", "1 key with");
            awaitText(page, "#found table", "order-9001");
            page.keyboard().press("Escape");
            assertThat(page.locator("#found").isVisible()).isFalse();

            page.keyboard().press(" ");
            awaitText(page, "#link", "held");
            String held = page.locator("#foot").textContent();
            page.waitForResponse(response -> response.url().contains("find"), () -> {
                page.keyboard().press("/");
                page.keyboard().type("nothing like this");
                page.keyboard().press("Enter");
            });
            assertThat(page.locator("#foot").textContent()).isEqualTo(held);
            awaitText(page, "#found", "No key with");
            page.keyboard().press("Escape");
            page.keyboard().press(" ");
            awaitText(page, "#link", "live");

            page.keyboard().press("c");
            page.locator("dialog[open], #copy:has-text('Copied')").first().waitFor();
        }
    }

    @Test
    void token_opensThePageAndLeavesTheAddress() {
        try (Dashboard closed = Dashboard.builder(shop.spindle).token(TOKEN).build();
                BrowserContext context = chromium.newContext();
                Page page = context.newPage()) {
            assertThat(page.navigate(closed.uri().toString()).status()).isEqualTo(401);
            page.navigate(closed.uri() + "?token=" + TOKEN);
            page.locator("body:not(.wait)").waitFor();

            assertThat(page.url()).isEqualTo(closed.uri().toString());
            awaitText(page, "#link", "live");
        }
    }

    @Test
    void hiddenNames_showNowhere() {
        try (Dashboard hidden = Dashboard.builder(shop.spindle).hideKeys(true).build();
                Page page = show(hidden, 1440, 900, ColorScheme.LIGHT)) {
            awaitText(page, "#n-stuck", "causes first");
            awaitText(page, "#graph-box", "#");
            assertThat(page.locator("body").innerHTML()).doesNotContain("order-12", "order-77", "order-9001");
            assertThat(page.locator("#facts").textContent()).contains("key names hidden");
        }
    }

    @Test
    void lostConnection_isSaidAndOldValuesAreGrey() {
        Dashboard brief = Dashboard.open(shop.spindle);
        try (Page page = show(brief, 1440, 900, ColorScheme.LIGHT)) {
            brief.close();

            awaitText(page, "#lost", "Connection lost");
            awaitText(page, "#lost", "Below is how it was at");
            assertThat(page.locator("body.lost-on").count()).isEqualTo(1);
            for (String lost : List.of(
                    "ERR_CONNECTION_REFUSED",
                    "ERR_INCOMPLETE_CHUNKED_ENCODING",
                    "ERR_EMPTY_RESPONSE",
                    "ERR_CONNECTION_RESET")) {
                chromium.forgive(lost);
            }
        }
    }

    @Test
    void snapshot_showsOneFrameWithoutAStream() {
        try (BrowserContext context = chromium.newContext();
                Page page = context.newPage()) {
            page.navigate(dashboard.uri() + "?snapshot");
            page.locator("body:not(.wait)").waitFor();
            awaitText(page, "h1", "workers");
        }
    }
}

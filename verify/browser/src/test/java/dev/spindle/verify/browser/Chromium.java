// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** The installed Chromium, with the errors of its console and the hosts that its pages have asked. */
final class Chromium implements AutoCloseable {
    private static final Path TARGET = Path.of("target", "pictures");
    private static final Path PICTURES = Path.of("..", "..", "observe", "pictures");

    private final Playwright playwright = Playwright.create();
    private final Browser browser;
    private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
    private final List<String> hosts = Collections.synchronizedList(new ArrayList<>());

    Chromium() {
        Path chromium = Stream.of("/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("chromium is not installed: see .ci/browser"));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(chromium)
                        .setArgs(List.of("--no-sandbox", "--disable-gpu")));
    }

    BrowserContext newContext() {
        return browser.newContext();
    }

    /** Opens a page in a window of that size. */
    Page show(URI address, int width, int height, ColorScheme colours) {
        BrowserContext context = browser.newContext(new Browser.NewContextOptions()
                .setViewportSize(width, height)
                .setColorScheme(colours)
                .setLocale("en-GB"));
        Page page = context.newPage();
        page.onConsoleMessage(message -> {
            if (isComplaint(message)) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
        page.onRequest(request -> hosts.add(hostOf(request)));
        page.navigate(address.toString());
        page.locator("body:not(.wait)").waitFor();
        return page;
    }

    private static boolean isComplaint(ConsoleMessage message) {
        return message.type().equals("error") || message.type().equals("warning");
    }

    private static String hostOf(Request request) {
        String host = URI.create(request.url().replaceAll("^data:.*", "http://localhost/"))
                .getHost();
        return host == null ? request.url() : host;
    }

    /** Waits until the text of an element contains {@code part}. */
    static void awaitText(Page page, String selector, String part) {
        page.waitForFunction(
                "([s, t]) => document.querySelector(s)?.textContent.includes(t)",
                List.of(selector, part),
                new Page.WaitForFunctionOptions().setTimeout(90_000));
    }

    /** Takes a picture of the window, none of whose content may be wider than the window. */
    static void picture(Page page, String name) throws IOException {
        Files.createDirectories(TARGET);
        Path file = TARGET.resolve(name + ".png");
        page.screenshot(new Page.ScreenshotOptions().setPath(file));
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(TARGET.resolve(name + "-full.png"))
                .setFullPage(true));
        Path kept = PICTURES.resolve(name + ".png");
        if ("write".equals(System.getProperty("pictures")) && Files.exists(kept)) {
            Files.copy(file, kept, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat((int) page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
                .as("pixels beyond the right edge of " + name)
                .isLessThanOrEqualTo(0);
    }

    /** Forgets the errors whose text contains {@code part}. */
    void forgive(String part) {
        complaints.removeIf(text -> text.contains(part));
    }

    /** Checks that there was no error, and no request to another host. */
    void verify() {
        List<String> found = List.copyOf(complaints);
        complaints.clear(); // of this test alone
        assertThat(found)
                .as("errors of the console, of scripts and of requests")
                .isEmpty();
        assertThat(hosts).allMatch(host -> host.equals("127.0.0.1") || host.equals("localhost"));
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}

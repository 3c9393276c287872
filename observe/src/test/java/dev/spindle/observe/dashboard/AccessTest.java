// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Spindle;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class AccessTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";
    private static final Pattern LINK = Pattern.compile("(?:src|href)=\"([^\"]+)\"");
    private static final Pattern IMPORT = Pattern.compile("from '\\./([^']+)'");

    private final Spindle spindle = Spindle.create();
    private final Dashboard page = Dashboard.open(spindle);
    private final Browser browser = new Browser(page);

    @AfterEach
    void close() {
        page.close();
        spindle.close();
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, 200",
        "LOCALHOST:1234, 200",
        "127.0.0.1:9, 200",
        "127.8.8.8, 200",
        "[::1]:80, 200",
        "example.org, 403",
        "localhost.example.org, 403",
        "127.0.0.1.example.org, 403",
        "127.0.0.1@example.org, 403",
        "10.0.0.1, 403",
        "'', 403",
    })
    void host_onlyLoopbackNamesPass(String host, int status) throws IOException {
        assertThat(browser.raw("GET / HTTP/1.1", "Host: " + host)).startsWith("HTTP/1.1 " + status);
    }

    @Test
    void host_missing_isRefused() throws IOException {
        assertThat(browser.raw("GET / HTTP/1.0")).containsPattern(" 40[03] ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD"})
    void method_otherThanGet_isRefused(String method) {
        for (String path : List.of("/", "/live", "/snapshot", "/find?q=a", "/stack?id=1")) {
            HttpResponse<String> answer = browser.send(browser.request(path)
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .build());

            assertThat(answer.statusCode()).as(method + " " + path).isEqualTo(405);
            assertThat(answer.headers().firstValue("Allow")).contains("GET");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/nothing, 404",
        "/../pom.xml, 404",
        "/..%2f..%2fpom.xml, 404",
        "/words.js/, 404",
        "/Frames.class, 404",
        "/find, 400",
        "/find?q=, 400",
        "/find?q=%zz, 400",
        "/find?other=a, 400",
        "/stack, 400",
        "/stack?id=a, 400",
        "/stack?id=-1, 400",
        "/stack?id=99999999999999999999, 400",
        "/stack?id=1, 404",
        "/, 200",
        "/snapshot, 200",
        "/find?q=a, 200",
    })
    void path_unknownOrMalformed_isRefused(String path, int status) throws IOException {
        assertThat(browser.raw("GET " + path + " HTTP/1.1", "Host: localhost")).startsWith("HTTP/1.1 " + status);
    }

    @Test
    void search_longText_isRefused() {
        assertThat(browser.get("/find?q=" + "a".repeat(256)).statusCode()).isEqualTo(200);
        assertThat(browser.get("/find?q=" + "a".repeat(257)).statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({
        "cross-site, no-cors, 403",
        "cross-site, cors, 403",
        "same-site, cors, 403",
        "cross-site, navigate, 200",
        "same-origin, cors, 200",
        "none, navigate, 200",
    })
    void site_otherSitesDoNotRead(String site, String mode, int status) {
        HttpResponse<String> answer = browser.get("/snapshot", "Sec-Fetch-Site", site, "Sec-Fetch-Mode", mode);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/page.js", "/snapshot", "/nothing"})
    void headers_forbidWhatThePageDoesNotNeed(String path) {
        HttpResponse<String> answer = browser.get(path);

        assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe", "*", "http");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(answer.headers().firstValue("Cross-Origin-Resource-Policy")).contains("same-origin");
    }

    @Test
    void files_areAllInTheJar_andNameNoOtherHost() {
        Set<String> seen = new java.util.TreeSet<>(List.of("/"));
        List<String> open = new ArrayList<>(seen);
        while (!open.isEmpty()) {
            String path = open.remove(0);
            HttpResponse<String> answer = browser.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            String own = answer.body()
                    .replace("http://www.w3.org/2000/svg", "")
                    .replace("https://github.com/leeoniya/uPlot", "");
            assertThat(own).as(path).doesNotContain("http://", "https://", "innerHTML", "insertAdjacentHTML");
            Matcher link = (path.equals("/") ? LINK : IMPORT).matcher(answer.body());
            while (link.find()) {
                String next = "/" + link.group(1);
                if (!next.startsWith("/data:") && seen.add(next)) {
                    open.add(next);
                }
            }
        }

        assertThat(seen).contains("/page.css", "/page.js", "/words.js", "/graph.js", "/uPlot.iife.min.js", "/snapshot");
    }

    @Test
    void licence_ofTheVendoredLibrary_isInTheJar() throws IOException {
        try (InputStream in = Dashboard.class.getResourceAsStream("uplot/LICENSE")) {
            assertThat(new String(requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8))
                    .contains("MIT", "Leon Sorokin");
        }
    }

    // ---------------------------------------------------------------- token

    @Test
    void token_missingOrWrong_isRefusedEverywhere() {
        try (Dashboard closed = Dashboard.builder(spindle).token(TOKEN).build()) {
            Browser without = new Browser(closed);
            int port = closed.uri().getPort();
            String wrong = TOKEN.replace('0', '1');
            for (String path : List.of("/", "/page.js", "/live", "/snapshot", "/find?q=a", "/stack?id=1")) {
                assertThat(without.get(path).statusCode()).as(path).isEqualTo(401);
            }
            assertThat(without.get("/?token=" + wrong).statusCode()).isEqualTo(401);
            assertThat(without.get("/?token=").statusCode()).isEqualTo(401);
            assertThat(without.get("/", "Authorization", "Bearer " + wrong).statusCode())
                    .isEqualTo(401);
            assertThat(without.get("/", "Cookie", "spindle-page-" + port + "=" + wrong)
                            .statusCode())
                    .isEqualTo(401);
            assertThat(without.get("/").body()).doesNotContain(TOKEN);
        }
    }

    @Test
    void token_inTheFirstRequest_becomesACookieAndLeavesTheAddress() {
        try (Dashboard closed = Dashboard.builder(spindle).token(TOKEN).build()) {
            Browser with = new Browser(closed);

            HttpResponse<String> first = with.get("/?token=" + TOKEN);

            assertThat(first.statusCode()).isEqualTo(303);
            assertThat(first.headers().firstValue("Location")).contains("/");
            String cookie = first.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).contains("HttpOnly", "SameSite=Strict");
            String pair = cookie.substring(0, cookie.indexOf(';'));
            assertThat(with.get("/", "Cookie", "other=1; " + pair).statusCode()).isEqualTo(200);
            assertThat(with.get("/snapshot", "Authorization", "Bearer " + TOKEN).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void token_wrongBesideARightCookie_setsNoCookie() {
        try (Dashboard closed = Dashboard.builder(spindle).token(TOKEN).build()) {
            String cookie = "spindle-page-" + closed.uri().getPort() + "=" + TOKEN;

            HttpResponse<String> answer = new Browser(closed).get("/?token=other", "Cookie", cookie);

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
        }
    }

    // ---------------------------------------------------------------- requests that do not end

    @Test
    void request_thatDoesNotArrive_keepsNoThreadFromOthers() throws IOException {
        DashboardBuilder builder = Dashboard.builder(spindle);
        builder.stalledMillis = 0;
        try (Dashboard impatient = builder.build()) {
            Browser with = new Browser(impatient);
            List<Socket> slow = new ArrayList<>();
            try {
                for (int i = 0; i < 4 * Ticker.MOST_VIEWERS; i++) {
                    Socket socket = with.socket();
                    socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: loc".getBytes(StandardCharsets.UTF_8));
                    slow.add(socket);
                }

                assertThat(answersAtLast(with)).isTrue();
            } finally {
                for (Socket socket : slow) {
                    socket.close();
                }
            }
        }
    }

    private static boolean answersAtLast(Browser with) {
        long end = System.nanoTime() + Browser.LONG.toNanos();
        while (System.nanoTime() < end) {
            try {
                String answer = with.raw("GET /snapshot HTTP/1.1", "Host: localhost");
                if (answer != null && answer.contains(" 200 ")) {
                    return true;
                }
            } catch (IOException e) {
                assertThat(e).isNotNull(); // refused, since all threads are taken
            }
        }
        return false;
    }

    @Test
    void viewers_beyondTheMaximum_areRefused() {
        List<Browser.Live> all = new ArrayList<>();
        try {
            for (int i = 0; i < Ticker.MOST_VIEWERS; i++) {
                all.add(browser.live());
            }
            assertThat(browser.get("/live").statusCode()).isEqualTo(503);
            assertThat(browser.get("/snapshot").statusCode()).isEqualTo(200);
        } catch (UncheckedIOException e) {
            throw new AssertionError(e);
        } finally {
            all.forEach(Browser.Live::close);
        }
    }
}

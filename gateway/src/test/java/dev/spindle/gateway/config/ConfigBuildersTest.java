// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ranges of options, the differences that a change makes, and the messages of refusals. */
class ConfigBuildersTest {
    private static final Duration TIME = Duration.ofSeconds(7);

    private static BackendConfig.Builder backend() {
        return BackendConfig.builder("a", "http://h:1");
    }

    private static Settings.Builder gateway() {
        return Settings.builder()
                .backend(backend().build())
                .route(RouteConfig.proxy("/x", "a").build());
    }

    private static Arguments range(String name, LongFunction<?> set, long least, long most) {
        LongConsumer setter = value -> {
            Object unused = set.apply(value);
        };
        return Arguments.of(name, setter, least, most);
    }

    static Stream<Arguments> ranges() {
        return Stream.of(
                range("head", n -> Limits.builder().head(n), 256, 1 << 20),
                range("line", n -> Limits.builder().line(n), 64, 1 << 20),
                range("fields", n -> Limits.builder().fields((int) n), 1, 10_000),
                range("body", n -> Limits.builder().body(n), 0, Long.MAX_VALUE),
                range("answer", n -> Limits.builder().answer(n), 0, 1 << 30),
                range("memory", n -> Limits.builder().memory(n), 1 << 20, Long.MAX_VALUE),
                range("connections", n -> Limits.builder().connections((int) n), 1, Integer.MAX_VALUE),
                range("streams", n -> Limits.builder().streams((int) n), 1, 10_000),
                range("connections", n -> backend().connections((int) n), 1, 1_000_000),
                range("waiting", n -> backend().waiting((int) n), 0, 1_000_000),
                range("waiting", n -> backend().bulkhead(Concurrency.fixed(1), (int) n), 0, 1_000_000),
                range("retry", n -> backend().retry((int) n), 0, 10),
                range("threads", n -> gateway().threads((int) n), 1, 1_024),
                range("need", n -> RouteConfig.multicast("/m", "a", "b").need((int) n), -1, 2),
                range("body", n -> RouteConfig.proxy("/p", "a").body(n), 0, Long.MAX_VALUE));
    }

    @ParameterizedTest(name = "{0} from {2} to {3}")
    @MethodSource("ranges")
    void number_atTheEndsOfItsRange_isTakenAndBeyondRefused(String name, LongConsumer set, long least, long most) {
        set.accept(least);
        set.accept(most);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> set.accept(least - 1))
                .withMessageContaining(name + " must be ")
                .withMessageEndingWith("is " + (least - 1));
        if (most < Integer.MAX_VALUE) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> set.accept(most + 1))
                    .withMessage(name + " must be from " + least + " to " + most + ", is " + (most + 1));
        }
    }

    static Stream<Arguments> times() {
        return Stream.of(
                time("head-time", Limits.builder()::headTime),
                time("body-time", Limits.builder()::bodyTime),
                time("write-time", Limits.builder()::writeTime),
                time("idle-time", Limits.builder()::idleTime),
                time("limit", backend()::limit),
                time("connect-time", backend()::connectTime),
                time("idle", backend()::idle),
                time("hedge", backend()::hedgeAfter),
                time("limit", gateway()::drainLimit),
                time("limit", RouteConfig.proxy("/p", "a")::limit));
    }

    private static Arguments time(String name, Consumer<Duration> set) {
        return Arguments.of(name, set);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("times")
    void time_zeroOrLess_isRefused(String name, Consumer<Duration> set) {
        set.accept(Duration.ofNanos(1));
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> set.accept(wrong))
                    .withMessage(name + " must be positive, is " + wrong);
        }
    }

    @Test
    void limits_eachSetting_isThereAndMakesADifference() {
        Limits plain = Limits.builder().build();
        Limits all = Limits.builder()
                .head(1_000)
                .line(100)
                .fields(3)
                .body(4)
                .answer(5)
                .memory(2 << 20)
                .connections(6)
                .requests(Concurrency.fixed(7))
                .streams(8)
                .headTime(Duration.ofSeconds(9))
                .bodyTime(Duration.ofSeconds(11))
                .writeTime(Duration.ofSeconds(12))
                .idleTime(Duration.ofSeconds(13))
                .build();

        assertThat(List.<Object>of(all.head(), all.line(), all.fields(), all.body(), all.answer(), all.connections()))
                .containsExactly(1_000, 100, 3, 4L, 5, 6);
        assertThat(all.memory()).isEqualTo(2 << 20);
        assertThat(all.requests()).isEqualTo(Concurrency.fixed(7));
        assertThat(all.streams()).isEqualTo(8);
        assertThat(List.of(all.headTime(), all.bodyTime(), all.writeTime(), all.idleTime()))
                .extracting(Duration::toSeconds)
                .containsExactly(9L, 11L, 12L, 13L);
        assertThat(Stream.<Consumer<Limits.Builder>>of(
                                b -> b.head(1_000),
                                b -> b.line(100),
                                b -> b.fields(3),
                                b -> b.body(4),
                                b -> b.answer(5),
                                b -> b.memory(2 << 20),
                                b -> b.connections(6),
                                b -> b.requests(Concurrency.fixed(7)),
                                b -> b.streams(8),
                                b -> b.headTime(TIME),
                                b -> b.bodyTime(TIME),
                                b -> b.writeTime(TIME),
                                b -> b.idleTime(TIME))
                        .map(change -> {
                            Limits.Builder builder = Limits.builder();
                            change.accept(builder);
                            return builder.build();
                        }))
                .doesNotHaveDuplicates()
                .doesNotContain(plain);
        assertThat(Limits.builder().build()).isEqualTo(plain).hasSameHashCodeAs(plain);
        assertThat(plain).isNotEqualTo("limits");
    }

    @Test
    void backend_eachSetting_isThereAndMakesADifference() {
        List<Consumer<BackendConfig.Builder>> changes = List.of(
                b -> b.limit(TIME),
                b -> b.connectTime(TIME),
                b -> b.connections(3),
                b -> b.waiting(4),
                b -> b.idle(TIME),
                b -> b.bulkhead(Concurrency.fixed(5), 6),
                b -> b.bulkhead(Concurrency.fixed(5), 7),
                b -> b.breaker(BreakerConfig.DEFAULT),
                b -> b.retry(8),
                b -> b.hedgeAtPercentile(0.9),
                b -> b.hedgeAfter(TIME),
                b -> b.repeat(BackendConfig.Repeat.NEVER));
        BackendConfig.Builder all = backend();
        changes.forEach(change -> change.accept(all));
        BackendConfig built = all.build();

        assertThat(List.of(built.connections(), built.waiting(), built.queue(), built.retries()))
                .containsExactly(3, 4, 7, 8);
        assertThat(List.of(built.connectTime(), built.idle())).containsOnly(TIME);
        assertThat(built.limit()).isEqualTo(TIME);
        assertThat(built.concurrent()).isEqualTo(Concurrency.fixed(5));
        assertThat(built.breaker()).isEqualTo(BreakerConfig.DEFAULT);
        assertThat(built.repeat()).isEqualTo(BackendConfig.Repeat.NEVER);
        assertThat(changes.stream().map(change -> {
                    BackendConfig.Builder builder = backend();
                    change.accept(builder);
                    return builder.build();
                }))
                .doesNotHaveDuplicates()
                .doesNotContain(backend().build());
        assertThat(backend().build())
                .isEqualTo(backend().build())
                .hasSameHashCodeAs(backend().build())
                .hasToString("backend a at h:1")
                .isNotEqualTo("a");
    }

    @Test
    void hedge_theLastOfTwoWays_counts() {
        BackendConfig after = backend().hedgeAtPercentile(0.5).hedgeAfter(TIME).build();
        BackendConfig at = backend().hedgeAfter(TIME).hedgeAtPercentile(0.5).build();

        assertThat(after.hedgeAfter()).isEqualTo(TIME);
        assertThat(after.hedgePercentile()).isZero();
        assertThat(at.hedgeAfter()).isNull();
        assertThat(at.hedgePercentile()).isEqualTo(0.5);
        for (double wrong : new double[] {0, 1, -0.1, 1.1, Double.NaN}) {
            assertThatIllegalArgumentException().isThrownBy(() -> backend().hedgeAtPercentile(wrong));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://h, h, 80, false, ''",
        "https://h, h, 443, true, ''",
        "http://h:8080/, h, 8080, false, ''",
        "http://h/api, h, 80, false, /api",
        "https://h:1/a/b/, h, 1, true, /a/b",
        "'http://[::1]:65535/x', ::1, 65535, false, /x"
    })
    void url_ofEachForm_isTakenApart(String url, String host, int port, boolean secure, String base) {
        BackendConfig built = BackendConfig.builder("n", url).build();

        assertThat(built.address()).isEqualTo(new Address(host, port));
        assertThat(built.secure()).isEqualTo(secure);
        assertThat(built.base()).isEqualTo(base == null ? "" : base);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "h",
                "//h",
                "ftp://h",
                "http://",
                "http:///x",
                "http://h:0",
                "http://h:65536",
                "http://u@h",
                "http://h?q",
                "http://h/?q=1",
                "http://h#f",
                "http://h/a/../b",
                "http://h/.x",
                "http://h//x",
                "http://h/%61",
                "http://h /"
            })
    void url_ofAnythingElse_isRefused(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BackendConfig.builder("n", url))
                .withMessageStartingWith("'" + url + "' is no url of a backend; write for example ");
    }

    @Test
    void name_ofABackend_hasLettersDigitsAndThreeSigns() {
        BackendConfig longest =
                BackendConfig.builder("a".repeat(64), "http://h").build();
        assertThat(longest.name()).hasSize(64);
        for (String wrong : List.of("", "a b", "a/b", "a".repeat(65), "\u00e4")) {
            assertThatIllegalArgumentException().isThrownBy(() -> BackendConfig.builder(wrong, "http://h"));
        }
    }

    // ---------------------------------------------------------------- routes

    @ParameterizedTest
    @CsvSource({
        "/, /, false, /",
        "/*, /, true, /*",
        "/a, /a, false, /a",
        "/a/*, /a, true, /a/*",
        "/a/b/, /a/b/, false, /a/b/"
    })
    void path_ofARoute_isWholeOrBelow(String text, String path, boolean below, String pattern) {
        RouteConfig route = RouteConfig.proxy(text, "a").build();

        assertThat(route.path()).isEqualTo(path);
        assertThat(route.below()).isEqualTo(below);
        assertThat(route.pattern()).isEqualTo(pattern);
        assertThat(route).hasToString("route " + pattern);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "a", "*", "//", "/a//b", "/a/./b", "/.a", "/a/..", "/a%20b", "/a b", "/a?b", "/a*", "/a/*/b",
                "/\u00e4"
            })
    void path_thatCouldBeReadInTwoWays_isRefused(String path) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RouteConfig.proxy(path, "a"))
                .withMessageContaining("'" + path + "' is no path of a route");
    }

    @Test
    void route_eachSetting_isThere() {
        RouteConfig route = RouteConfig.multicast("/a/b", "x", "y")
                .limit(TIME)
                .need(RouteConfig.ALL)
                .order(RequestOrder.byConnection())
                .strip("/a")
                .body(17)
                .build();

        assertThat(route.kind()).isEqualTo(RouteConfig.Kind.MULTICAST);
        assertThat(route.backends()).containsExactly("x", "y");
        assertThat(route.limit()).isEqualTo(TIME);
        assertThat(route.need()).isEqualTo(-1);
        assertThat(route.order()).isSameAs(RequestOrder.byConnection());
        assertThat(route.strip()).isEqualTo("/a");
        assertThat(route.body()).isEqualTo(17);
        RouteConfig plain = RouteConfig.pipeline("/p", "x").build();
        assertThat(plain.kind()).isEqualTo(RouteConfig.Kind.PIPELINE);
        assertThat(plain.body()).isEqualTo(-1);
        assertThat(plain.strip()).isEmpty();
        assertThat(plain.limit()).isEqualTo(Duration.ofSeconds(30));
        assertThat(plain.need()).isEqualTo(RouteConfig.AVAILABLE);
    }

    @Test
    void route_needOfOneBackendOrNoBackend_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RouteConfig.proxy("/p", "x").need(1))
                .withMessage("only a multicast has 'need'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RouteConfig.multicast("/p"))
                .withMessage("route /p names no backend");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "/a/", "/", "/ab", "/a/bc", "/b", ""})
    void strip_thatIsNoFrontOfThePath_isRefused(String prefix) {
        assertThat(RouteConfig.proxy("/a/b", "x").strip("/a/b").build().strip()).isEqualTo("/a/b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RouteConfig.proxy("/a/b", "x").strip(prefix))
                .withMessage("strip must be the front of the path /a/b up to a slash, is '" + prefix + "'");
    }

    // ---------------------------------------------------------------- the whole

    static Stream<Arguments> fixed() {
        return Stream.of(
                fixed("listen", b -> b.listen(new Address("h", 1))),
                fixed("tls", b -> b.tls(new Settings.Tls(Path.of("c"), Path.of("k")))),
                fixed("http2", b -> b.http2(false)),
                fixed("threads", b -> b.threads(3)),
                fixed("admin", b -> b.admin(new Address("h", 1))),
                fixed("agent", b -> b.agent(new Address("h", 1))),
                fixed("limits", b -> b.limits(Limits.builder().fields(1).build())),
                fixed("drain", b -> b.drainNotice(TIME)),
                fixed("drain", b -> b.drainLimit(TIME)),
                fixed("deadline-header", b -> b.deadlineHeader("X-Other")),
                fixed("access-log", b -> b.accessLog("-")));
    }

    private static Arguments fixed(String key, Consumer<Settings.Builder> change) {
        return Arguments.of(key, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("fixed")
    void fixedDifference_ofEachFixedKey_namesIt(String key, Consumer<Settings.Builder> change) {
        Settings.Builder changed = gateway();
        change.accept(changed);

        assertThat(gateway().build().fixedDifference(changed.build())).isEqualTo(key);
        assertThat(changed.build().fixedDifference(gateway().build())).isEqualTo(key);
        assertThat(changed.build().fixedDifference(changed.build())).isEmpty();
    }

    @Test
    void fixedDifference_ofBackendsAndRoutes_isNone() {
        Settings other = gateway()
                .backend(BackendConfig.builder("b", "http://h:2").build())
                .route(RouteConfig.proxy("/y", "b").build())
                .build();

        assertThat(gateway().build().fixedDifference(other)).isEmpty();
        assertThat(gateway().threads(1).http2(false).build().fixedDifference(other))
                .isEqualTo("http2, threads");
    }

    @Test
    void gateway_eachSetting_isThere() {
        Settings all = gateway()
                .listen(new Address("h", 1))
                .tls(new Settings.Tls(Path.of("c"), Path.of("k")))
                .http2(false)
                .threads(3)
                .admin(new Address("h", 2))
                .agent(new Address("h", 3))
                .drainNotice(Duration.ZERO)
                .drainLimit(TIME)
                .deadlineHeader("X-D")
                .accessLog("file")
                .build();

        assertThat(List.<Object>of(
                        all.listen().port(), all.threads(), all.http2(), all.drainNotice(), all.drainLimit()))
                .containsExactly(1, 3, false, Duration.ZERO, TIME);
        assertThat(all.tls()).isEqualTo(new Settings.Tls(Path.of("c"), Path.of("k")));
        assertThat(all.admin()).isEqualTo(new Address("h", 2));
        assertThat(all.agent()).isEqualTo(new Address("h", 3));
        assertThat(all.deadlineHeader()).isEqualTo("X-D");
        assertThat(all.accessLog()).isEqualTo("file");
        Settings plain = gateway().build();
        assertThat(plain.http2()).isTrue();
        assertThat(plain.threads()).isZero();
        assertThat(plain.drainNotice()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void gateway_whatContradictsItself_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.builder().build())
                .withMessage("there is no route");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> gateway().backend(backend().build()))
                .withMessage("there are two backends named 'a'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> gateway().route(RouteConfig.proxy("/x", "a").build()))
                .withMessage("there are two routes for /x");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        gateway().route(RouteConfig.proxy("/y", "b").build()).build())
                .withMessage("route /y names 'b', which is no backend; did you mean 'a'?");
        assertThatIllegalArgumentException().isThrownBy(() -> gateway().drainNotice(Duration.ofNanos(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> gateway().deadlineHeader("a b"));
    }
}

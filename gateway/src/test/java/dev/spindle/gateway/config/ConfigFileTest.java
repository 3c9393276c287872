// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
    private static final String GOOD = """
            listen: 127.0.0.1:8080
            threads: 1
            admin: 127.0.0.1:8081
            agent: '[::1]:8082'
            limits: {head: 8KiB, body: 2MiB, requests: {min: 10, initial: 20, max: 30}, idle-time: 5s}
            drain: {notice: 0ms, limit: 5s}
            backends:
              users: {url: http://127.0.0.1:9001}
              orders:
                url: https://orders.example/api
                limit: 2s
                bulkhead: {concurrent: 200, waiting: 100}
                breaker: {window: 50, failures: 25%, open: 1s, by: resilience4j}
                retry: 2
                hedge: 95%
                repeat: always
            routes:
              - path: /orders/*
                proxy: orders
                order: {header: X-User}
                strip: /orders
              - path: /page
                multicast: [users, orders]
                need: all
                limit: 1s
              - path: /steps
                pipeline: [users, orders]
                order: {segment: 1}
            """;

    @Test
    void read_allKeys_areTaken() throws Exception {
        Settings config = Settings.parse("gateway.yaml", GOOD);

        assertThat(config.listen()).isEqualTo(new Address("127.0.0.1", 8080));
        assertThat(config.agent()).isEqualTo(new Address("::1", 8082));
        assertThat(config.limits().head()).isEqualTo(8 << 10);
        assertThat(config.limits().requests()).isEqualTo(Concurrency.adaptive(10, 20, 30));
        assertThat(config.limits().idleTime()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.drainNotice()).isZero();
        assertThat(config.backends()).containsOnlyKeys("users", "orders");
        assertThat(config.backends().get("orders")).satisfies(orders -> {
            assertThat(orders.address()).isEqualTo(new Address("orders.example", 443));
            assertThat(orders.secure()).isTrue();
            assertThat(orders.base()).isEqualTo("/api");
            assertThat(orders.limit()).isEqualTo(Duration.ofSeconds(2));
            assertThat(orders.concurrent()).isEqualTo(Concurrency.fixed(200));
            assertThat(orders.queue()).isEqualTo(100);
            assertThat(orders.breaker())
                    .isEqualTo(new BreakerConfig(
                            50, 20, 0.25, Duration.ofSeconds(1), 3, BreakerConfig.Engine.RESILIENCE4J));
            assertThat(orders.retries()).isEqualTo(2);
            assertThat(orders.hedgePercentile()).isEqualTo(0.95);
            assertThat(orders.repeat()).isEqualTo(BackendConfig.Repeat.ALWAYS);
        });
        assertThat(config.routes()).extracting(RouteConfig::pattern).containsExactly("/orders/*", "/page", "/steps");
        assertThat(config.routes().get(0).order().header()).isEqualTo("X-User");
        assertThat(config.routes().get(1).need()).isEqualTo(RouteConfig.ALL);
        assertThat(config.routes().get(2).order().segment()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "threads: 1 | threads: many | 2:10: 'many' is no whole number",
                "threads: 1 | threads: 0 | 2:10: threads must be from 1 to 1024, is 0",
                "threads: 1 | thread: 1 | 2:1: unknown key 'thread' in the file; did you mean 'threads'?",
                "head: 8KiB | head: 8kb | 5:16: '8kb' is no size; write for example 16KiB",
                "max: 30 | max: 15 | 5:44: needs 1 <= min <= initial <= max, is 10, 20, 15",
                "url: http://127.0.0.1:9001 | url: ftp://x | 8:16: 'ftp://x' is no url of a backend;"
                        + " write for example http",
                "limit: 2s | limit: 2 | 11:12: '2' is no time; write for example 250ms",
                "failures: 25% | failures: 0% | 13:14: failures must be above 0% and at most 100%, is 0.0%",
                "retry: 2 | retrys: 2 | 14:5: unknown key 'retrys' in backend orders; did you mean 'retry'?",
                "hedge: 95% | hedge: 100% | 15:12: hedge must be above 0% and below 100%",
                "proxy: orders | proxy: order | 19:12: there is no backend named 'order'; did you mean 'orders'?",
                "proxy: orders | to: orders | 18:5: a route has exactly one of proxy, multicast and pipeline",
                "strip: /orders | strip: /order | 21:12: strip must be the front of the path /orders",
                "multicast: [users, orders] | multicast: users | 23:16: multicast must be a list, is a single value",
                "need: all | need: 3 | 24:11: need must be from -1 to 2, is 3",
                "path: /page | path: /orders/* | 22:11: there are two routes for /orders/*",
                "path: /page | path: /a/../b | 22:11: '/a/../b' is no path of a route",
                "threads: 1 | listen: '0.0.0.0:1' | 2:1: 'listen' is there twice in the file",
                "backends: | backends: [ | this is not YAML"
            })
    void read_aMistake_isNamedWithItsPlaceAndTheRemedy(String good, String bad, String expected) {
        String text = GOOD.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad));

        assertThatThrownBy(() -> Settings.parse("gateway.yaml", text))
                .isInstanceOf(MistakesException.class)
                .hasMessageContaining(expected)
                .hasMessageStartingWith("gateway.yaml:");
    }

    private static final String BALANCED = """
            resolver: 127.0.0.1:53
            backends:
              one:
                url: http://one.example/api
                instances: [10.0.0.1:9001, '[::1]:9001']
                check: {path: /health, every: 5s, limit: 2s, fall: 4, rise: 1}
                eject: {failures: 3, for: 30s}
              two:
                url: http://two.example
                resolve: 5s
                check: /up
                eject: off
            routes:
              - {path: /*, proxy: one}
            """;

    @Test
    void read_instances_areTaken() throws Exception {
        Settings config = Settings.parse("gateway.yaml", BALANCED);

        assertThat(config.resolver()).isEqualTo(new Address("127.0.0.1", 53));
        assertThat(config.backends().get("one")).satisfies(one -> {
            assertThat(one.isBalanced()).isTrue();
            assertThat(one.instances()).containsExactly(new Address("10.0.0.1", 9001), new Address("::1", 9001));
            assertThat(one.check())
                    .isEqualTo(new CheckConfig("/health", Duration.ofSeconds(5), Duration.ofSeconds(2), 4, 1));
            assertThat(one.eject()).isEqualTo(new EjectConfig(3, Duration.ofSeconds(30)));
        });
        assertThat(config.backends().get("two")).satisfies(two -> {
            assertThat(two.isBalanced()).isTrue();
            assertThat(two.resolve()).isEqualTo(Duration.ofSeconds(5));
            assertThat(two.check())
                    .isEqualTo(new CheckConfig("/up", Duration.ofSeconds(2), Duration.ofSeconds(1), 3, 2));
            assertThat(two.eject()).isNull();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "10.0.0.1:9001, | 10.0.0.1, | 5:17: '10.0.0.1' is no instance; write a host and a port",
                "10.0.0.1:9001, | 10.0.0.1:0, | 5:17: '10.0.0.1:0' is no instance; write a host and a port",
                "10.0.0.1:9001, | http://10.0.0.1:9001, | 5:17: 'http://10.0.0.1:9001' is no",
                "10.0.0.1:9001, | '[::1]:9001', | 5:31: the instance [::1]:9001 is there twice",
                "[10.0.0.1:9001, '[::1]:9001'] | [] | 5:16: instances is empty",
                "path: /health | path: health | 6:12: 'health' is no path of a check; write for example /health",
                "path: /health, every | every | 6:12: check has no 'path'",
                "every: 5s | every: 0s | 6:12: every must be positive",
                "fall: 4 | fall: 0 | 6:12: fall must be from 1 to 100, is 0",
                "failures: 3 | failures: 0 | 7:12: failures must be from 1 to 1000, is 0",
                "for: 30s | fro: 30s | 7:26: unknown key 'fro' in eject",
                "resolve: 5s | idle: 5s | 11:12: check needs several instances; add for example instances:",
                "resolve: 5s | resolve: 5 | 10:14: '5' is no time",
                "two.example | 10.0.0.1 | 10:14: resolve needs a name in the url, not the address 10.0.0.1",
                "eject: off | instances: [10.0.0.1:9001] | 10:14: backend two has instances and resolve; keep one"
            })
    void read_aMistakeInInstances_isNamedWithItsPlaceAndTheRemedy(String good, String bad, String expected) {
        String text = BALANCED.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad));

        assertThatThrownBy(() -> Settings.parse("gateway.yaml", text))
                .isInstanceOf(MistakesException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void read_severalMistakes_areNamedAtOnceInTheirOrder() {
        String text = GOOD.replace("threads: 1", "threads: x").replace("need: all", "need: most");

        assertThatThrownBy(() -> Settings.parse("gateway.yaml", text))
                .isInstanceOfSatisfying(
                        MistakesException.class,
                        e -> assertThat(e.mistakes())
                                .extracting(MistakesException.Mistake::line)
                                .containsExactly(2, 24));
    }

    @Test
    void read_anEmptyFile_saysWhatItNeeds() {
        assertThatThrownBy(() -> Settings.parse("empty.yaml", ""))
                .hasMessage("empty.yaml:1:1: the file is empty; it needs backends: and routes:");
        assertThatThrownBy(() -> Settings.parse("x.yaml", "listen: 127.0.0.1:80"))
                .hasMessageContaining("the file has no 'backends'")
                .hasMessageContaining("the file has no 'routes'");
    }

    @Test
    void fileOfTwoServices_isRight() throws Exception {
        Settings config = Settings.read(Path.of("../demo/gateway/two-services.yaml"));

        assertThat(config.backends().values()).hasSize(2).allMatch(BackendConfig::isBalanced);
        assertThat(config.routes()).hasSize(2).noneMatch(route -> route.hosts().isEmpty());
    }

    @Test
    void yaml_ofTheDocument_isRight() throws Exception {
        List<String> blocks = new ArrayList<>();
        Matcher block = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/gateway.md")));
        while (block.find()) {
            blocks.add(Objects.requireNonNull(block.group(1)));
        }

        assertThat(blocks).isNotEmpty();
        for (String text : blocks) {
            assertThat(Settings.parse("docs/gateway.md", text).routes()).isNotEmpty();
        }
    }
}

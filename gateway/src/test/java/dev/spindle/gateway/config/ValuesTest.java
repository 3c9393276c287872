// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
    @ParameterizedTest
    @CsvSource({"0ms, PT0S", "250ms, PT0.25S", "2s, PT2S", "90m, PT1H30M", "25h, PT25H", "999999999s, PT999999999S"})
    void time_ofEachUnit_isRead(String text, Duration expected) {
        assertThat(ValueParser.time(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2", "ms", "-1s", "1.5s", "1d", "2 s", "1000000000s", "2S"})
    void time_ofAnythingElse_isRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ValueParser.time(text))
                .withMessage("'%s' is no time; write for example 250ms, 2s, 1m or 1h", text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "4096, 4096",
        "7B, 7",
        "16KiB, 16384",
        "3MiB, 3145728",
        "2GiB, 2147483648",
        "999999999999, 999999999999",
        "8589934591GiB, 9223372035781033984"
    })
    void size_ofEachUnit_isRead(String text, long expected) {
        assertThat(ValueParser.size(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "KiB", "8kb", "1 MiB", "-1", "1.5MiB", "1000000000000", "8589934592GiB", "999999999999GiB"})
    void size_ofAnythingElse_isRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ValueParser.size(text))
                .withMessageContaining("'" + text + "' is ");
    }

    @ParameterizedTest
    @CsvSource({"0%, 0", "50%, 0.5", "12.5%, 0.125", "100%, 1", "0.001%, 0.00001"})
    void share_withAPerCentSign_isRead(String text, double expected) {
        assertThat(ValueParser.share(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "0.5", "50", "-1%", "1000%", "1.2345%", "5 %"})
    void share_ofAnythingElse_isRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ValueParser.share(text))
                .withMessage("'%s' is no share; write for example 50%%", text);
    }

    @Test
    void number_wholeOnes_areRead() {
        assertThat(List.of(ValueParser.number("0"), ValueParser.number("-7"), ValueParser.number("2147483647")))
                .containsExactly(0, -7, Integer.MAX_VALUE);
        for (String text : List.of("", "1.0", "2147483648", "many", "1_000")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ValueParser.number(text))
                    .withMessage("'%s' is no whole number up to 2147483647", text);
        }
    }

    @Test
    void flag_threeWordsEach_areRead() {
        assertThat(List.of("true", "on", "yes")).allMatch(ValueParser::flag);
        assertThat(List.of("false", "off", "no")).noneMatch(ValueParser::flag);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ValueParser.flag("TRUE"))
                .withMessage("'TRUE' is neither true nor false");
    }

    @Test
    void within_endsOfTheRange_areTaken() {
        assertThat(ArgumentChecks.within("it", 1, 1, 3)).isEqualTo(1);
        assertThat(ArgumentChecks.within("it", 3, 1, 3)).isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentChecks.within("it", 0, 1, 3))
                .withMessage("it must be from 1 to 3, is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentChecks.within("it", 4, 1, 3))
                .withMessage("it must be from 1 to 3, is 4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArgumentChecks.within("it", -1, 0, Long.MAX_VALUE))
                .withMessage("it must be at least 0, is -1");
    }

    @Test
    void positive_zeroOrLess_isRefused() {
        assertThat(ArgumentChecks.positive("it", Duration.ofNanos(1))).isEqualTo(Duration.ofNanos(1));
        for (Duration time : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ArgumentChecks.positive("it", time))
                    .withMessage("it must be positive, is " + time);
        }
    }

    // ---------------------------------------------------------------- names of fields, suggestions

    @Test
    void isToken_lettersDigitsAndSomeSigns_are() {
        assertThat(List.of("a", "X-Deadline-Ms", "Z9", "!#$%&'*+-.^_`|~")).allMatch(ArgumentChecks::isToken);
        assertThat(List.of(
                        "", " ", "a b", "a:b", "a/b", "a(b", "a\"b", "a;b", "\u00e9", "a\u0080", "@", "[", "{",
                        "\u007f", "\u0000"))
                .noneMatch(ArgumentChecks::isToken);
    }

    @ParameterizedTest
    @CsvSource({
        "retrys, retry",
        "idel, idle",
        "wating, waiting",
        "limits, limit",
        "connect-tim, connect-time",
        "a, ''",
        "zzzzzz, ''",
        "order, ''",
        "wxiting-listx, ''"
    })
    void suggestion_nearWord_isNamed(String word, String near) {
        List<String> known = List.of("retry", "limit", "idle", "waiting", "connect-time");

        assertThat(Suggestion.of(word, known))
                .isEqualTo(near == null || near.isEmpty() ? "" : "; did you mean '" + near + "'?");
    }

    @Test
    void suggestion_severalNearWords_namesTheNearest() {
        assertThat(Suggestion.of("orders", List.of("borderss", "order", "orders2x")))
                .isEqualTo("; did you mean 'order'?");
        assertThat(Suggestion.of("ab", List.of("ac"))).isEqualTo("; did you mean 'ac'?");
        assertThat(Suggestion.of("ab", List.of("cd"))).isEmpty();
    }

    // ---------------------------------------------------------------- addresses and orders

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:8080, 127.0.0.1, 8080, 127.0.0.1:8080",
        "'[::1]:8082', ::1, 8082, '[::1]:8082'",
        "9000, 0.0.0.0, 9000, 0.0.0.0:9000",
        "localhost:0, localhost, 0, localhost:0",
        "h:65535, h, 65535, h:65535"
    })
    void address_ofEachForm_isRead(String text, String host, int port, String shown) {
        assertThat(Address.parse(text)).isEqualTo(new Address(host, port)).hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {":80", "h:65536", "h:-1", "::1:80", "h:", "h", "h:x", "[]:80"})
    void address_ofAnythingElse_isRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Address.parse(text));
    }

    @Test
    void order_eachKind_saysWhatItGoesBy() {
        assertThat(RequestOrder.none().by()).isEqualTo(RequestOrder.By.NOTHING);
        assertThat(RequestOrder.byConnection().by()).isEqualTo(RequestOrder.By.CONNECTION);
        assertThat(RequestOrder.byHeader("X-User").by()).isEqualTo(RequestOrder.By.HEADER);
        assertThat(RequestOrder.byHeader("X-User").header()).isEqualTo("X-User");
        assertThat(RequestOrder.bySegment(1).segment()).isEqualTo(1);
        assertThat(RequestOrder.bySegment(100).by()).isEqualTo(RequestOrder.By.SEGMENT);
        assertThat(RequestOrder.none().segment()).isZero();
        assertThat(RequestOrder.none().header()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> RequestOrder.bySegment(0));
        assertThatIllegalArgumentException().isThrownBy(() -> RequestOrder.bySegment(101));
        assertThatIllegalArgumentException().isThrownBy(() -> RequestOrder.byHeader("a b"));
    }

    @Test
    void concurrency_minInitialAndMax_areInThatOrder() {
        assertThat(Concurrency.fixed(1).isFixed()).isTrue();
        assertThat(Concurrency.adaptive(1, 1, 1).isFixed()).isTrue();
        assertThat(Concurrency.adaptive(1, 2, 3).isFixed()).isFalse();
        assertThat(Concurrency.adaptive(1, 2, 3)).isEqualTo(new Concurrency(1, 2, 3));
        for (int[] wrong : new int[][] {{0, 1, 1}, {2, 1, 3}, {1, 3, 2}}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Concurrency.adaptive(wrong[0], wrong[1], wrong[2]));
        }
    }

    @Test
    void breaker_endsOfEachRange_areTaken() {
        Duration open = Duration.ofNanos(1);
        BreakerConfig.Engine engine = BreakerConfig.Engine.SPINDLE;
        assertThat(new BreakerConfig(1, 1, 1.0, open, 1, engine).failures()).isEqualTo(1.0);
        assertThat(new BreakerConfig(100_000, 100_000, 0.001, open, 100_000, engine).minimum())
                .isEqualTo(100_000);
        assertRefused("window", () -> new BreakerConfig(0, 1, 1, open, 1, engine));
        assertRefused("window", () -> new BreakerConfig(100_001, 1, 1, open, 1, engine));
        assertRefused("minimum", () -> new BreakerConfig(5, 6, 1, open, 1, engine));
        assertRefused("minimum", () -> new BreakerConfig(5, 0, 1, open, 1, engine));
        assertRefused("failures", () -> new BreakerConfig(5, 5, 0, open, 1, engine));
        assertRefused("is 110", () -> new BreakerConfig(5, 5, 1.1, open, 1, engine));
        assertRefused("failures", () -> new BreakerConfig(5, 5, Double.NaN, open, 1, engine));
        assertRefused("open", () -> new BreakerConfig(5, 5, 1, Duration.ZERO, 1, engine));
        assertRefused("trials", () -> new BreakerConfig(5, 5, 1, open, 0, engine));
        assertRefused("trials", () -> new BreakerConfig(5, 5, 1, open, 100_001, engine));
    }

    private static void assertRefused(String named, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(named);
    }
}

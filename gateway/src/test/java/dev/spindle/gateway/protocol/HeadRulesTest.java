// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.spindle.gateway.config.Limits;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadRulesTest {
    private static final Limits LIMITS =
            Limits.builder().line(64).head(256).fields(5).build();

    /** Returns a head that passes, with {@code change} applied. */
    private static Http2Headers head(Consumer<Http2Headers> change) {
        Http2Headers head = new DefaultHttp2Headers(false)
                .method("GET")
                .path("/")
                .scheme("http")
                .authority("a");
        change.accept(head);
        return head;
    }

    private static void assertTaken(Consumer<Http2Headers> change) {
        assertThatCode(() -> new HeadRules(LIMITS).checkHead(head(change))).doesNotThrowAnyException();
    }

    private static void assertRefused(int status, Consumer<Http2Headers> change) {
        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> new HeadRules(LIMITS).checkHead(head(change)))
                .satisfies(refusal -> assertThat(refusal.status()).isEqualTo(status));
    }

    @Test
    void head_withMethodPathAndScheme_isTaken() {
        assertTaken(head -> {});
        assertTaken(head -> head.remove(":authority"));
        assertTaken(head -> head.path("/a?b=%20"));
    }

    @Test
    void head_withoutMethodPathOrScheme_isRefused() {
        for (String name : new String[] {":method", ":path", ":scheme"}) {
            assertRefused(400, head -> head.remove(name));
        }
    }

    @Test
    void connect_withAnAuthorityAlone_isTaken() {
        assertTaken(head -> {
            head.method("CONNECT").authority("a:80");
            head.remove(":path");
            head.remove(":scheme");
        });
        assertRefused(400, head -> {
            head.method("CONNECT");
            head.remove(":authority");
        });
    }

    @Test
    void line_ofHttp11_isBounded() {
        int longest = 64 - "GET ".length() - " HTTP/1.1".length();
        assertTaken(head -> head.path("/" + "x".repeat(longest - 1)));
        assertRefused(414, head -> head.path("/" + "x".repeat(longest)));
        assertRefused(414, head -> head.method("GETT").path("/" + "x".repeat(longest - 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "G T", "G/T", "G\u0000T", "G\u007fT", "G\u00e9T", "G\u0147T"})
    void method_thatIsNoToken_isRefused(String method) {
        assertRefused(400, head -> head.method(method));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "*", "/a b", "/a\tb", "/a\u0000", "/\u007f", "/\u00e9", "/\u0147"})
    void path_thatHttp11CouldNotHave_isRefused(String path) {
        assertRefused(400, head -> head.path(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a:b", "a\"b", "a(b", "a{b", "a\u0000", "a\u007f", "\u00e9", " a"})
    void name_thatIsNoToken_isRefused(String name) {
        assertRefused(400, head -> head.add(name, "v"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000", "a\rb", "a\nb", "a\u007f", " a", "a ", "\ta", "a\t", "\u0147"})
    void value_withAControlOrABlankAround_isRefused(String value) {
        assertRefused(400, head -> head.add("x", value));
        assertRefused(400, head -> head.authority(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a b", "a\tb", "\u00e9", "\u0080"})
    void value_thatHttp11CouldHave_isTaken(String value) {
        assertTaken(head -> head.add("x", value));
    }

    @Test
    void fields_areCountedWithTheAuthority() {
        assertTaken(head -> add(head, 4));
        assertRefused(431, head -> add(head, 5));
        assertTaken(head -> add(head, 5).remove(":authority"));
    }

    private static Http2Headers add(Http2Headers head, int fields) {
        for (int i = 0; i < fields; i++) {
            head.add("x" + i, "v");
        }
        return head;
    }

    @Test
    void cookies_areOneField() {
        assertTaken(head -> addCookies(head, 20));
        assertRefused(431, head -> addCookies(add(head, 4), 1));
    }

    private static void addCookies(Http2Headers head, int cookies) {
        for (int i = 0; i < cookies; i++) {
            head.add("cookie", "a=b");
        }
    }

    @Test
    void bytes_areThoseOfHttp11() {
        int longest = 256 - "host: a".length() - "x: ".length();
        assertTaken(head -> head.add("x", "v".repeat(longest)));
        assertRefused(431, head -> head.add("x", "v".repeat(longest + 1)));
        assertRefused(431, head -> head.add("xx", "v".repeat(longest)));
    }

    @Test
    void trailer_sharesTheLimitsOfItsHead() throws Exception {
        HeadRules rules = new HeadRules(LIMITS);
        rules.checkHead(head(head -> add(head, 3)));
        rules.checkFields(new DefaultHttp2Headers(false).add("t", "v"));

        assertThatExceptionOfType(Refusal.class)
                .isThrownBy(() -> rules.checkFields(new DefaultHttp2Headers(false).add("t", "v")))
                .satisfies(refusal -> assertThat(refusal.status()).isEqualTo(431));
    }

    @Test
    void byte_isPlainInThePartsThatMayHaveIt() {
        assertThat(HeadRules.isPlain((byte) 'a', HeadRules.IN_NAME)).isTrue();
        assertThat(HeadRules.isPlain((byte) ':', HeadRules.IN_NAME)).isFalse();
        assertThat(HeadRules.isPlain((byte) ':', HeadRules.IN_FIRST_LINE)).isTrue();
        assertThat(HeadRules.isPlain((byte) ' ', HeadRules.IN_FIRST_LINE)).isFalse();
        assertThat(HeadRules.isPlain((byte) '\t', HeadRules.IN_VALUE)).isTrue();
        assertThat(HeadRules.isPlain((byte) 0xe9, HeadRules.IN_VALUE)).isTrue();
        assertThat(HeadRules.isPlain((byte) 0xe9, HeadRules.IN_FIRST_LINE)).isFalse();
        assertThat(HeadRules.isControl((byte) '\t')).isFalse();
        assertThat(HeadRules.isControl((byte) 31)).isTrue();
        assertThat(HeadRules.isControl((byte) 127)).isTrue();
        assertThat(HeadRules.isControl((byte) 0xe9)).isFalse();
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestRulesTest {
    /** Returns a request with a Host and the given fields: name, value, name, value. */
    private static HttpRequest request(String... fields) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().add("Host", "h");
        for (int i = 0; i < fields.length; i += 2) {
            request.headers().add(fields[i], fields[i + 1]);
        }
        return request;
    }

    private static void assertRefused(HttpRequest request, int status, String reason) {
        assertThatThrownBy(() -> RequestRules.check(request)).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.status()).isEqualTo(status);
            assertThat(refusal.reason()).contains(reason);
        });
    }

    @Test
    void check_plainRequest_isTaken() {
        assertThatCode(() -> RequestRules.check(request())).doesNotThrowAnyException();
        assertThatCode(() -> RequestRules.check(request("Expect", "100-Continue")))
                .doesNotThrowAnyException();
        assertThatCode(() -> RequestRules.check(request("Transfer-Encoding", "Chunked")))
                .doesNotThrowAnyException();
    }

    @Test
    void check_otherVersions_areRefusedAnd10NeedsNoHost() {
        HttpRequest old = request().setProtocolVersion(HttpVersion.HTTP_1_0);
        old.headers().remove("Host");
        assertThatCode(() -> RequestRules.check(old)).doesNotThrowAnyException();
        old.headers().add("Host", "a").add("Host", "b");
        assertRefused(old, 400, "more than one Host");
        assertRefused(request().setProtocolVersion(HttpVersion.valueOf("HTTP/1.2")), 505, "the version HTTP/1.2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONNECT", "TRACE"})
    void check_methodsOfTunnels_areRefused(String method) {
        assertRefused(request().setMethod(HttpMethod.valueOf(method)), 501, "the method " + method);
    }

    @Test
    void check_host_isThereOnceAndAnAuthority() {
        HttpRequest none = request();
        none.headers().remove("Host");
        assertRefused(none, 400, "no Host");
        assertRefused(request("Host", "h"), 400, "more than one Host");
        HttpRequest odd = request();
        odd.headers().set("Host", "a/b");
        assertRefused(odd, 400, "a Host that is none");
    }

    @ParameterizedTest
    @CsvSource({
        "h, true",
        "a.b-c_d:80, true",
        "'[::1]:80', true",
        "AZaz09, true",
        "'', true",
        "a b, false",
        "a/b, false",
        "u@h, false",
        "a;b, false",
        "a`b, false",
        "a{b, false",
        "a@, false",
        "a\u007f, false",
        "\u00e9, false",
        "a%20, false"
    })
    void isAuthority_lettersDigitsAndSixSigns_is(String host, boolean expected) {
        assertThat(RequestRules.isAuthority(host)).isEqualTo(expected);
    }

    @Test
    void check_drafts_areRefused() {
        assertRefused(request("Sec-WebSocket-Key1", "x"), 400, "a handshake of a draft");
        assertRefused(request("Expect", "200-ok"), 417, "an expectation other than 100-continue");
    }

    @Test
    void decoded_whatTheDecoderFound_hasItsStatus() {
        Refusal own = new Refusal(499, "own");
        assertThat(RequestRules.of(own)).isSameAs(own);
        assertThat(RequestRules.of(new IllegalArgumentException("odd")))
                .satisfies(refusal -> assertThat(refusal.status()).isEqualTo(400))
                .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo("a malformed message: odd"));
        HttpRequest broken = request();
        broken.setDecoderResult(DecoderResult.failure(own));
        assertRefused(broken, 499, "own");
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HopFieldsTest {
    private static HttpHeaders fields(String... fields) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (int i = 0; i < fields.length; i += 2) {
            headers.add(fields[i], fields[i + 1]);
        }
        return headers;
    }

    /** The names as a backend may read them that makes variables of fields, as CGI does. */
    private static String[] spelt(String name) {
        return new String[] {
            name,
            name.toLowerCase(Locale.ROOT),
            name.toUpperCase(Locale.ROOT),
            name.replace('-', '_'),
            name.toUpperCase(Locale.ROOT).replace('-', '_'),
            name.replaceFirst("-", "_"),
            name.replace('-', '.')
        };
    }

    private static String request(HttpHeaders from, boolean withType) {
        HeadBytes head = new HeadBytes();
        HopFields.writeRequest(from, "X-Deadline-Ms", withType, head);
        ByteBuf to = Unpooled.buffer(1);
        head.writeTo(to);
        return to.toString(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection",
                "Keep-Alive",
                "Proxy-Connection",
                "Proxy-Authenticate",
                "Proxy-Authorization",
                "TE",
                "Trailer",
                "Transfer-Encoding",
                "Upgrade",
                "HTTP2-Settings",
                "Content-Length",
                "x-http2-stream-id",
                "x-http2-scheme",
                "x-http2-path",
                "x-http2-stream-weight",
                "x-http2-stream-dependency-id",
                "x-http2-stream-promise-id"
            })
    void field_ofOneHop_endsHereInBothDirections(String name) {
        for (String spelt : spelt(name)) {
            HttpHeaders from = fields("A", "1", spelt, "close", "B", "2");

            assertThat(request(from, true)).isEqualTo("A: 1\r\nB: 2\r\n");
            assertThat(HopFields.ofAnswer(from).names()).containsExactlyInAnyOrder("A", "B");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "Expect",
                "Via",
                "X-Forwarded-For",
                "X-Forwarded-Host",
                "X-Forwarded-Proto",
                "Forwarded",
                "grpc-timeout",
                "x-deadline-ms"
            })
    void field_thatTheGatewayWritesItself_isNotTheClients(String name) {
        for (String spelt : spelt(name)) {
            HttpHeaders from = fields(spelt, "x", "A", "1", spelt, "y");

            assertThat(request(from, true)).isEqualTo("A: 1\r\n");
            assertThat(HopFields.ofAnswer(from).getAll(spelt)).containsExactly("x", "y");
        }
    }

    @Test
    void connection_names_endHereToo() {
        HttpHeaders from = fields("Connection", "close, X-One ,x-TWO", "X-One", "1", "X-Two", "2", "X-Three", "3");

        assertThat(request(from, true)).isEqualTo("X-Three: 3\r\n");
        assertThat(HopFields.ofAnswer(from).names()).containsExactly("X-Three");
        HttpHeaders second = fields("Connection", "keep-alive", "Connection", "x-one", "X-One", "1", "X-Two", "2");
        assertThat(request(second, true)).isEqualTo("X-Two: 2\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep-alive", "Keep-Alive", "close", "CLOSE"})
    void connection_thatNamesNoField_leavesTheOthers(String value) {
        HttpHeaders from = fields("Connection", value, "X-One", "1", "close", "2");

        assertThat(request(from, true)).isEqualTo("X-One: 1\r\nclose: 2\r\n");
    }

    @Test
    void type_ofTheBody_goesOnWithTheBody() {
        HttpHeaders from = fields(
                "content-type", "text/plain", "Content-Language", "en", "Content-Encoding", "gzip", "Accept", "x");

        assertThat(request(from, true))
                .startsWith("content-type: text/plain\r\nContent-Language: en\r\n")
                .endsWith("\r\nContent-Encoding: gzip\r\nAccept: x\r\n")
                .hasLineCount(4);
        assertThat(request(from, false)).isEqualTo("Accept: x\r\n");
    }

    @Test
    void field_withAnyOtherName_goesOnAsItIs() {
        String longName = "X".repeat(100);
        HttpHeaders from = fields(
                "A",
                "1",
                "A",
                "2",
                "X-Forwarded-Port",
                "3",
                "X_1-Forwarded-For",
                "5",
                "XForwardedFor",
                "6",
                longName,
                "4",
                "x",
                "");

        assertThat(request(from, true))
                .isEqualTo("A: 1\r\nA: 2\r\nX-Forwarded-Port: 3\r\nX_1-Forwarded-For: 5\r\nXForwardedFor: 6\r\n"
                        + longName + ": 4\r\nx: \r\n");
        assertThat(HopFields.ofAnswer(from).getAll("a")).containsExactly("1", "2");
        assertThat(HopFields.none().isEmpty()).isTrue();
    }
}

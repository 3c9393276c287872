// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostNameTest {
    @ParameterizedTest
    @CsvSource({
        "shop.example, shop.example, -1",
        "SHOP.Example., shop.example, -1",
        "shop.example:, shop.example, -1",
        "shop.example:1, shop.example, 1",
        "shop.example.:65535, shop.example, 65535",
        "a_b-c, a_b-c, -1",
        "127.0.0.1:80, 127.0.0.1, 80",
        "[::1]:443, [0:0:0:0:0:0:0:1], 443",
        "[2001:DB8::00a], [2001:db8:0:0:0:0:0:a], -1"
    })
    void parse_aHost_isInItsOneSpelling(String text, String name, int port) {
        assertThat(HostName.parse(text)).isEqualTo(new HostName(name, port));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "a..b",
                ".a",
                "a..",
                "a:b",
                "a:65536",
                "a:0",
                "a:1:2",
                "::1",
                "[::1",
                "[a]",
                "[1.2.3.4]",
                "[::1].",
                "[:::]",
                "a b",
                "*",
                "*.a",
                "a/b",
                "a@b"
            })
    void parse_anythingElse_isNone(String text) {
        assertThat(HostName.parse(text)).isNull();
    }

    @Test
    void parse_aNameAboveTheLimitOfDns_isNone() {
        assertThat(HostName.parse("a".repeat(262))).isNotNull();
        assertThat(HostName.parse("a".repeat(263))).isNull();
    }

    @Test
    void pattern_mayBeginWithAStar() {
        assertThat(HostName.pattern("*.Shop.example:81")).hasToString("*.shop.example:81");
        assertThat(HostName.pattern("shop.example")).hasToString("shop.example");
        for (String text : new String[] {"*.[::1]", "*", "a.*", "*.*.a", "*."}) {
            assertThatThrownBy(() -> HostName.pattern(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + text + "' is no host of a route");
        }
    }
}

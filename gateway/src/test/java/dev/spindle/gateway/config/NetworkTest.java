// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {
    private static InetAddress address(String text) {
        return Objects.requireNonNull(Network.address(text), text);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.0.0.0/9, 10.127.0.1, true",
        "10.0.0.0/9, 10.128.0.1, false",
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.2, false",
        "10.1.2.2/31, 10.1.2.3, true",
        "0.0.0.0/0, 255.1.1.1, true",
        "0.0.0.0/0, ::1, false",
        "::/0, 1.1.1.1, false",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fe00::1, false",
        "::1, ::1, true",
        "::ffff:10.0.0.1, 10.0.0.1, true"
    })
    void contains_anAddress_byItsFirstBits(String network, String one, boolean expected) {
        assertThat(Network.parse(network).contains(address(one))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/8",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/08",
                "10.0.0.0/8/8",
                "10.0.0/8",
                "::/129",
                "a.example",
                "10.0.0.256",
                "010.0.0.1",
                "1:2",
                "10"
            })
    void parse_anythingElse_isRefused(String text) {
        assertThatThrownBy(() -> Network.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is no address or network; write for example 10.0.0.5");
    }

    @Test
    void trusts_anyOfItsNetworks() {
        TrustConfig trust =
                new TrustConfig(List.of(Network.parse("10.0.0.0/8"), Network.parse("::1")), TrustConfig.By.FORWARDED);

        assertThat(trust.trusts(address("10.9.9.9"))).isTrue();
        assertThat(trust.trusts(address("::1"))).isTrue();
        assertThat(trust.trusts(address("9.9.9.9"))).isFalse();
        assertThat(Network.parse("10.1.2.3")).hasToString("10.1.2.3/32");
    }
}

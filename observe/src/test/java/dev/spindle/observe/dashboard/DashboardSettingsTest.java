// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DashboardSettingsTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    static Stream<Arguments> badSettings() {
        return Stream.of(
                bad("port must be from 0 to 65535, is -1", b -> b.port(-1)),
                bad("port must be from 0 to 65535, is 65536", b -> b.port(65_536)),
                bad("token must have at least 32 characters, has 31", b -> b.token(TOKEN.substring(1))),
                bad("token must have at least 32 characters, has 0", b -> b.token("")),
                bad("token must consist of letters", b -> b.token(TOKEN + " ")),
                bad("token must consist of letters", b -> b.token(TOKEN + ";")),
                bad("token must consist of letters", b -> b.token(TOKEN + "\n")),
                bad(
                        "token must be set, with at least 32 characters, since address is not a loopback address,"
                                + " is 0.0.0.0",
                        b -> b.address(any())));
    }

    private static Arguments bad(String message, Consumer<DashboardBuilder> setting) {
        return Arguments.of(message, setting);
    }

    private static InetAddress any() {
        try {
            return InetAddress.getByAddress(new byte[4]);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("badSettings")
    void build_badSetting_isRefusedWithItsName(String message, Consumer<DashboardBuilder> setting) {
        try (Spindle spindle = Spindle.create()) {
            DashboardBuilder builder = Dashboard.builder(spindle);
            setting.accept(builder);

            assertThatThrownBy(builder::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(message)
                    .hasMessageNotContaining(TOKEN);
        }
    }

    @Test
    void build_beyondLoopbackWithToken_answersWithTheTokenAlone() throws IOException {
        try (Spindle spindle = Spindle.create();
                Dashboard page =
                        Dashboard.builder(spindle).address(any()).token(TOKEN).build()) {
            assertThat(page.uri().getHost()).isEqualTo("0.0.0.0");
            Browser browser = new Browser(page);

            assertThat(browser.raw("GET /snapshot HTTP/1.1", "Host: example.org"))
                    .contains(" 401 ");
            assertThat(browser.raw("GET /snapshot HTTP/1.1", "Host: example.org", "Authorization: Bearer " + TOKEN))
                    .contains(" 200 ");
        }
    }

    @Test
    void build_portInUse_isRefusedWithTheAddress() {
        try (Spindle spindle = Spindle.create();
                Dashboard first = Dashboard.open(spindle)) {
            DashboardBuilder second =
                    Dashboard.builder(spindle).port(first.uri().getPort());

            assertThatThrownBy(second::build)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(String.valueOf(first.uri().getPort()));
        }
    }

    @Test
    void toString_withToken_hidesTheToken() {
        try (Spindle spindle = Spindle.create();
                Dashboard page = Dashboard.builder(spindle).token(TOKEN).build()) {
            assertThat(page.toString()).isEqualTo("dashboard at " + page.uri()).doesNotContain(TOKEN);
        }
    }
}

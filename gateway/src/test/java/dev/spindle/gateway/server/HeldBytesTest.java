// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.Limits;
import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Memory;
import io.netty.channel.DefaultEventLoop;
import org.junit.jupiter.api.Test;

class HeldBytesTest {
    private final Memory memory = new Memory(100);
    private final HeldBytes held = new HeldBytes(
            memory,
            new ConnectionLoop(
                    new DefaultEventLoop(), 0, () -> 0, Limits.builder().build()));

    @Test
    void upload_thatShrinksAndGrows_isCountedAsItIs() {
        assertThat(held.upload(40)).isTrue();
        assertThat(held.upload(10)).isTrue();
        assertThat(held.hold(5)).isTrue();
        assertThat(held.upload(30)).isTrue();

        assertThat(held.count()).isEqualTo(35);
        assertThat(memory.used()).isEqualTo(35);
        assertThat(held.upload(96)).isFalse();
    }

    @Test
    void end_givesAllBackOnce_andNothingIsCountedAfterwards() {
        boolean unused = held.upload(40) && held.hold(20);
        held.end();
        held.end();

        assertThat(memory.used()).isZero();
        assertThat(held.hold(1)).isFalse();
        assertThat(held.upload(1)).isFalse();
        assertThat(memory.used()).isZero();
    }
}

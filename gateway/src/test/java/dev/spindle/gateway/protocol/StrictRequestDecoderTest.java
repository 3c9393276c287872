// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.config.Limits;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StrictRequestDecoderTest {
    private final EmbeddedChannel channel =
            new EmbeddedChannel(new StrictRequestDecoder(Limits.builder().build()));

    private void read(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
    }

    @Test
    void decode_bytesAfterAViolation_areDropped() {
        read("GET / HTTP/1.1\r\nX: \u0001\r\n\r\n");
        HttpRequest failed = channel.readInbound();
        assertThat(failed.decoderResult().isFailure()).isTrue();
        read("GET /hidden HTTP/1.1\r\nHost: test\r\n\r\n");

        assertThat(channel.<Object>readInbound()).isNull();
    }
}

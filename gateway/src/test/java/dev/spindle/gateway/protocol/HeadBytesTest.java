// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HeadBytesTest {
    private final HeadBytes head = new HeadBytes();

    private String text() {
        ByteBuf to = Unpooled.buffer();
        head.writeTo(to);
        return to.toString(StandardCharsets.ISO_8859_1);
    }

    @Test
    void add_ofEachKind_isAppended() {
        head.add("GET").add(' ').add("/ HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
        head.field("a", AsciiString.of("xbx").subSequence(1, 2))
                .field(AsciiString.of("c"), "")
                .endLine();

        assertThat(text()).isEqualTo("GET / HTTP/1.1\r\na: b\r\nc: \r\n\r\n");
        head.clear();
        assertThat(head.size()).isZero();
    }

    @Test
    void add_characterAbove255_cannotBecomeAControl() {
        head.field("a", "\u00e4\u010a\u010dB");

        assertThat(text()).isEqualTo("a: \u00e4??B\r\n");
    }

    @Test
    void add_moreThanThereIsRoomFor_growsInEachWay() {
        String all = "";
        String long1 = "x".repeat(700);
        String long2 = "y".repeat(5_000);
        for (int i = 0; i < 3; i++) {
            head.add(long1)
                    .field(long2, long1)
                    .add(long2.getBytes(StandardCharsets.US_ASCII))
                    .add('z')
                    .endLine();
            all += long1 + long2 + ": " + long1 + "\r\n" + long2 + "z\r\n";
        }
        HeadBytes other = new HeadBytes();
        other.add(head).add(head);

        assertThat(text()).isEqualTo(all);
        assertThat(other.size()).isEqualTo(2 * all.length());
    }
}

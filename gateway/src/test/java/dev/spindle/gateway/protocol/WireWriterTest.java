// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WireWriterTest {
    private static final int LARGE = 3 << 10; // too large to be copied

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final WireWriter writer = new WireWriter(channel);

    private static ByteBuf piece(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    private void head(boolean chunked) {
        writer.begin().add("A").endLine();
        writer.endHead(chunked);
    }

    private List<String> written() {
        List<String> all = new ArrayList<>();
        for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
            all.add(next.toString(StandardCharsets.US_ASCII));
            next.release();
        }
        return all;
    }

    @Test
    void finish_smallBody_isOneBufferWithItsHead() {
        head(false);
        ByteBuf body = piece("body");
        writer.piece(body);
        assertThat(written()).isEmpty();
        ChannelFuture done = writer.finish();

        assertThat(written()).containsExactly("A\r\n\r\nbody");
        assertThat(done.isSuccess()).isTrue();
        assertThat(body.refCnt()).isZero();
    }

    @Test
    void messages_thatWereNotTaken_keepTheirBytes() {
        WireWriter other = new WireWriter(channel);
        head(false);
        other.begin().add("B").endLine();
        other.endHead(false);
        var unused = writer.finish();
        var unusedToo = other.finish();
        head(true);
        var unusedEither = writer.finish();

        assertThat(written()).containsExactly("A\r\n\r\n", "B\r\n\r\n", "A\r\n\r\n0\r\n\r\n");
    }

    @Test
    void messages_thatWereTaken_leaveTheirMemoryToTheNext() {
        head(false);
        var unused = writer.finish();
        ByteBuf first = channel.readOutbound();
        first.release();
        head(false);
        var unusedToo = writer.finish();
        ByteBuf second = channel.readOutbound();

        assertThat(second).isSameAs(first);
        second.release();
    }

    @Test
    void piece_large_isNotCopiedAndKeepsItsPlace() {
        String large = "x".repeat(LARGE);
        head(true);
        writer.piece(piece("1"));
        ByteBuf body = piece(large);
        writer.piece(body);
        writer.piece(piece("2"));
        assertThat(body.refCnt()).isOne();
        writer.end();
        writer.flush();

        assertThat(written()).containsExactly("A\r\n\r\n1\r\n1\r\nc00\r\n", large, "\r\n1\r\n2\r\n0\r\n\r\n");
    }

    @Test
    void piece_empty_doesNotEndChunks() {
        head(true);
        writer.piece(piece(""));
        writer.piece(piece("1"));
        var unused = writer.finish();

        assertThat(written()).containsExactly("A\r\n\r\n1\r\n1\r\n0\r\n\r\n");
    }

    @Test
    void piece_manySmallOnes_areWrittenAsTheyFillABuffer() {
        head(false);
        for (int i = 0; i < 10; i++) {
            writer.piece(piece("x".repeat(1 << 10)));
            assertThat(writer.held()).isLessThan(6 << 10);
        }
        writer.flush();
        assertThat(String.join("", written())).isEqualTo("A\r\n\r\n" + "x".repeat(10 << 10));
        assertThat(writer.held()).isZero();
    }

    @Test
    void begin_afterAMessage_hasNothingOfIt() {
        head(true);
        var unused = writer.finish();
        head(false);
        var unusedToo = writer.finish();

        assertThat(written()).containsExactly("A\r\n\r\n0\r\n\r\n", "A\r\n\r\n");
    }

    @Test
    void release_headThatIsNotWritten_isFreed() {
        head(false);
        assertThat(writer.held()).isEqualTo(5);
        writer.release();

        assertThat(writer.held()).isZero();
        writer.flush();
        assertThat(written()).isEmpty();
        writer.release();
    }
}

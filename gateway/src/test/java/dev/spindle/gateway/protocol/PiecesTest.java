// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bodies that wait, in whatever pieces they came. */
class PiecesTest {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);

    private static ByteBuf piece(byte[] bytes, int from, int to) {
        return Unpooled.copiedBuffer(bytes, from, to - from);
    }

    @Test
    void add_ofSingleBytes_costsAboutWhatTheyAre() {
        Pieces pieces = new Pieces();
        int bytes = 100_000;
        for (int i = 0; i < bytes; i++) {
            pieces.add(Unpooled.wrappedBuffer(new byte[] {'x'}), allocator);
        }
        int buffers = 0;
        while (!pieces.isEmpty()) {
            pieces.next().release();
            buffers++;
        }

        assertThat(buffers).isLessThan(10);
        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }

    @Test
    void piecesOfAnySize_comeOutAsTheyWentIn() {
        Random random = new Random(1);
        for (int round = 0; round < 200; round++) {
            byte[] bytes = new byte[random.nextInt(60_000)];
            random.nextBytes(bytes);
            Pieces pieces = new Pieces();
            StringBuilder out = new StringBuilder();
            for (int from = 0; from < bytes.length; ) {
                int to = Math.min(bytes.length, from + random.nextInt(round % 2 == 0 ? 3_000 : 30));
                pieces.add(piece(bytes, from, to), allocator);
                from = to;
                if (random.nextInt(10) == 0 && !pieces.isEmpty()) {
                    take(pieces.next(), out);
                }
            }
            assertThat(pieces.bytes()).isEqualTo(bytes.length - out.length());
            take(pieces.all(allocator), out);

            assertThat(pieces.isEmpty()).isTrue();
            assertThat(out.toString().equals(new String(bytes, StandardCharsets.ISO_8859_1)))
                    .isTrue();
        }
        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }

    private static void take(ByteBuf piece, StringBuilder out) {
        out.append(piece.toString(StandardCharsets.ISO_8859_1));
        piece.release();
    }

    @Test
    void release_givesAllBack() {
        Pieces pieces = new Pieces();
        ByteBuf first = Unpooled.wrappedBuffer(new byte[2_000]);
        pieces.add(first, allocator);
        pieces.add(Unpooled.wrappedBuffer(new byte[10]), allocator);
        pieces.release();

        assertThat(first.refCnt()).isZero();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
        assertThat(pieces.bytes()).isZero();
    }
}

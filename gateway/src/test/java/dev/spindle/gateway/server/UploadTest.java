// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.gateway.backend.StreamedCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UploadTest {
    private static final int BYTES = 4_000; // too many to be copied into the buffer of the piece before

    private final Upload upload = new Upload(UnpooledByteBufAllocator.DEFAULT, () -> {}, true);
    private final Sink sink = new Sink();

    private static ByteBuf piece() {
        return Unpooled.wrappedBuffer(new byte[BYTES]);
    }

    @Test
    void close_piecesThatWait_areReleased() {
        ByteBuf waiting = piece();
        upload.add(waiting, false);
        assertThat(upload.held()).isEqualTo(BYTES);
        upload.close();
        ByteBuf late = piece();
        upload.add(late, true);

        assertThat(waiting.refCnt()).isZero();
        assertThat(late.refCnt()).isZero();
        assertThat(upload.held()).isZero();
    }

    @Test
    void add_backendTakesNoMore_holdsThePieceAndStopsTheClient() {
        upload.to(sink);
        sink.takes = false;
        upload.add(piece(), false);
        upload.add(piece(), false);
        assertThat(sink.sent).hasSize(1);
        assertThat(upload.isPaused()).isTrue();

        sink.takes = true;
        upload.writable(sink);
        assertThat(sink.sent).hasSize(2);
        assertThat(upload.isPaused()).isFalse();
    }

    /** A call that keeps the pieces that it gets. */
    private static final class Sink implements StreamedCall {
        private final List<ByteBuf> sent = new ArrayList<>();
        private boolean takes = true;

        @Override
        public boolean send(ByteBuf piece, boolean last) {
            sent.add(piece);
            return takes;
        }

        @Override
        public boolean isSent() {
            return false;
        }

        @Override
        public long unsent() {
            return 0;
        }

        @Override
        public void flushSent() {}

        @Override
        public void awaitsBody(boolean is) {}

        @Override
        public void resume() {}
    }
}

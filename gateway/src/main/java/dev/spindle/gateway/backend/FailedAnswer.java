// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.protocol.ReasonedException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/**
 * An answer with which a backend reports its own failure, for a request that gathers several answers. Such an answer
 * does not count as one of the needed answers.
 */
public final class FailedAnswer extends ReasonedException {
    private static final long serialVersionUID = 1;

    private final transient BackendAnswer answer;

    /**
     * Takes over an answer. Its body is copied to the heap, since the endpoint releases only the answers of successful
     * calls.
     */
    FailedAnswer(BackendAnswer answer) {
        super("it answered " + answer.status());
        ByteBuf body = Unpooled.wrappedBuffer(ByteBufUtil.getBytes(answer.body()));
        answer.release();
        this.answer = new BackendAnswer(answer.request(), answer.status(), answer.headers(), body);
    }

    /** Returns the answer, which needs no release. */
    public BackendAnswer answer() {
        return answer;
    }
}

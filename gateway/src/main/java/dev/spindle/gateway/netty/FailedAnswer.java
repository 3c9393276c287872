// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/** An answer that says that its backend failed, where several are asked: it is none of those that are needed. */
final class FailedAnswer extends Exception {
    private static final long serialVersionUID = 1;

    private final transient BackendAnswer answer;

    /** Takes over an answer. What is kept is on the heap, for outcomes without a value are not released. */
    FailedAnswer(BackendAnswer answer) {
        super("it answered " + answer.status(), null, false, false);
        ByteBuf body = Unpooled.wrappedBuffer(ByteBufUtil.getBytes(answer.body()));
        answer.release();
        this.answer = new BackendAnswer(answer.request(), answer.status(), answer.headers(), body);
    }

    BackendAnswer answer() {
        return answer;
    }
}

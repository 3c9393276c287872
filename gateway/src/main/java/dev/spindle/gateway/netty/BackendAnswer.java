// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * A complete answer. Its body belongs to whoever has the answer, who calls {@link #release} once.
 *
 * @param request what was asked
 * @param status the status
 * @param headers the fields as the backend sent them, those of the hop included
 * @param body the body; empty if the answer was handed on in pieces
 */
record BackendAnswer(BackendRequest request, int status, HttpHeaders headers, ByteBuf body) {
    boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** Returns whether the backend failed, as far as it is known. */
    boolean isFailure() {
        return status >= 500;
    }

    void release() {
        body.release();
    }
}

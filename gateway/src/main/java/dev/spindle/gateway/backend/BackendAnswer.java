// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.flow.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * A complete answer of a backend. Its body belongs to the owner of the answer, which calls {@link #release} once.
 *
 * @param request the request that was answered
 * @param status the status
 * @param headers the fields as the backend sent them, including the hop-by-hop fields
 * @param body the body; empty if the answer was forwarded in pieces
 */
public record BackendAnswer(BackendRequest request, int status, HttpHeaders headers, ByteBuf body) {
    /** Returns whether the status is from 200 to 299. */
    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** Returns whether the status is 500 or above. */
    boolean isFailure() {
        return status >= 500;
    }

    /** Releases the body. */
    public void release() {
        body.release();
    }

    /** Releases the body of an answer that is not needed, if there is one. */
    public static void release(Outcome<BackendAnswer> outcome) {
        if (outcome instanceof Outcome.Value<BackendAnswer> value) {
            value.value().release();
        }
    }
}

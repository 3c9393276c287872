// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the calls of a connection to a backend, whose fields are written as bytes: those that all calls for a request
 * have in common are made once.
 */
final class CallEncoder extends HttpRequestEncoder {
    private @Nullable BackendCall call;

    /** Begins a call: the next head is its own. */
    void begin(BackendCall of) {
        call = of;
    }

    @Override
    protected void encodeInitialLine(ByteBuf head, HttpRequest request) throws Exception {
        super.encodeInitialLine(head, request);
        BackendCall of = call;
        call = null;
        if (of != null) {
            of.writeFields(head);
        }
    }
}

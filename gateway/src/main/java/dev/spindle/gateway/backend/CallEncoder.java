// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import org.jspecify.annotations.Nullable;

/**
 * An encoder of the calls on a connection to a backend.
 *
 * <p>The fields of a head are written as bytes, so that the common fields of all calls for a request are encoded only
 * once. Confined to the event loop of the connection.
 */
final class CallEncoder extends HttpRequestEncoder {
    /** Writes the fields of the next head. */
    interface Fields {
        /** Appends the fields to {@code head}, each with its line end. */
        void writeFields(ByteBuf head);
    }

    /** The call whose head is not encoded yet. */
    private @Nullable Fields call;

    /** Begins a call, whose fields are written into the next head. */
    void begin(Fields of) {
        call = of;
    }

    @Override
    protected void encodeInitialLine(ByteBuf head, HttpRequest request) throws Exception {
        super.encodeInitialLine(head, request);
        Fields of = call;
        call = null;
        if (of != null) {
            of.writeFields(head);
        }
    }
}

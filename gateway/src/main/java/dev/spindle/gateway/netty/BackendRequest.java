// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.gateway.config.BackendConfig.Repeat;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * What one or more backends are asked on behalf of a request.
 *
 * @param exchange the request under way
 * @param method the method, which is not the client's in the later steps of a pipeline
 * @param body the whole body, which belongs to the exchange; null if it comes in pieces
 * @param contentType the type of a body that is not the client's; null if it is
 * @param contentEncoding the coding of a body that is not the client's; null for none, or if it is
 */
record BackendRequest(
        Exchange exchange,
        HttpMethod method,
        @Nullable ByteBuf body,
        @Nullable String contentType,
        @Nullable String contentEncoding) {
    /** Returns whether a second call does no harm. */
    boolean isRepeatable(Repeat repeat) {
        return body != null
                && switch (repeat) {
                    case ALWAYS -> true;
                    case NEVER -> false;
                    case IDEMPOTENT -> isIdempotent(method);
                };
    }

    private static boolean isIdempotent(HttpMethod method) {
        return method.equals(HttpMethod.GET)
                || method.equals(HttpMethod.HEAD)
                || method.equals(HttpMethod.PUT)
                || method.equals(HttpMethod.DELETE)
                || method.equals(HttpMethod.OPTIONS);
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.BackendConfig.Repeat;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request to one or more backends, made for the request of a client. */
public final class BackendRequest {
    private final ClientRequest client;
    private final HttpMethod method;
    private final @Nullable ByteBuf body;
    private final @Nullable String contentType;
    private final @Nullable String contentEncoding;
    /** The addresses that were chosen for this request; null if there are none. Confined to the client's loop. */
    private @Nullable List<Address> tried;

    /**
     * Creates a request.
     *
     * @param client the request of the client
     * @param method the method; in a pipeline it may differ from the method of the client's request
     * @param body the whole body, which belongs to the client's request; null if the body arrives in pieces
     * @param contentType the type of a body that is not the client's; null if the body is the client's
     * @param contentEncoding the coding of a body that is not the client's; null if there is none or the body is the
     *     client's
     */
    public BackendRequest(
            ClientRequest client,
            HttpMethod method,
            @Nullable ByteBuf body,
            @Nullable String contentType,
            @Nullable String contentEncoding) {
        this.client = client;
        this.method = method;
        this.body = body;
        this.contentType = contentType;
        this.contentEncoding = contentEncoding;
    }

    /** Returns the request of the client. */
    public ClientRequest client() {
        return client;
    }

    HttpMethod method() {
        return method;
    }

    @Nullable
    ByteBuf body() {
        return body;
    }

    @Nullable
    String contentType() {
        return contentType;
    }

    @Nullable
    String contentEncoding() {
        return contentEncoding;
    }

    /** Returns the addresses of the instances that were chosen for this request, to which the caller adds. */
    List<Address> tried() {
        List<Address> list = tried;
        if (list == null) {
            list = new ArrayList<>(2);
            tried = list;
        }
        return list;
    }

    /** Returns whether the request may be sent twice. A body in pieces is never sent twice. */
    boolean isRepeatable(Repeat repeat) {
        return body != null
                && switch (repeat) {
                    case ALWAYS -> true;
                    case NEVER -> false;
                    case IDEMPOTENT -> isIdempotent(method);
                };
    }

    /** Returns whether HTTP defines a method as idempotent. */
    private static boolean isIdempotent(HttpMethod method) {
        return method.equals(HttpMethod.GET)
                || method.equals(HttpMethod.HEAD)
                || method.equals(HttpMethod.PUT)
                || method.equals(HttpMethod.DELETE)
                || method.equals(HttpMethod.OPTIONS);
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.protocol.HeadBytes;
import dev.spindle.gateway.protocol.HopFields;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/** The fields that all calls for a request have in common. */
final class ForwardedFields {
    private static final AsciiString VIA_1 = AsciiString.cached("1.1 spindle");
    private static final AsciiString VIA_2 = AsciiString.cached("2 spindle");
    private static final AsciiString FORWARDED_FOR = AsciiString.cached("x-forwarded-for");
    private static final AsciiString FORWARDED_PROTO = AsciiString.cached("x-forwarded-proto");
    private static final AsciiString FORWARDED_HOST = AsciiString.cached("x-forwarded-host");

    private ForwardedFields() {}

    /**
     * Writes the fields.
     *
     * @param deadlineHeader the field with the remaining time, which each call writes itself
     * @param withType true if the body is the client's, so that the fields that describe the body are forwarded
     * @param http2 true if the request came over HTTP/2
     */
    static void write(
            HttpRequest request,
            CharSequence deadlineHeader,
            boolean withType,
            boolean http2,
            String client,
            String scheme,
            HeadBytes to) {
        HopFields.writeRequest(request.headers(), deadlineHeader, withType, to);
        to.field(HttpHeaderNames.VIA, http2 ? VIA_2 : VIA_1);
        to.field(FORWARDED_FOR, client);
        to.field(FORWARDED_PROTO, scheme);
        @Nullable String host = request.headers().get(HttpHeaderNames.HOST);
        if (host != null) {
            to.field(FORWARDED_HOST, host);
        }
    }
}

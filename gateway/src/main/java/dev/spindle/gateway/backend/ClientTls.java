// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.backend;

import dev.spindle.gateway.config.BackendTls;
import dev.spindle.gateway.config.PemFiles;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The TLS contexts of the gateway as a client of its backends. */
final class ClientTls {
    private ClientTls() {}

    /**
     * Returns a context, which checks that the certificate of a backend has the name of its url.
     *
     * @param files the files of authorities and of the identity of the gateway; null for the authorities of Java alone
     * @throws IOException if Java has no TLS
     */
    static SslContext load(@Nullable BackendTls files) throws IOException {
        SslContextBuilder builder = SslContextBuilder.forClient().endpointIdentificationAlgorithm("HTTPS");
        if (files != null && files.ca() != null) {
            builder.trustManager(PemFiles.certificates(files.ca()).toArray(X509Certificate[]::new));
        }
        if (files != null && files.certificate() != null && files.key() != null) {
            List<X509Certificate> chain = PemFiles.certificates(files.certificate());
            builder.keyManager(PemFiles.key(files.key(), chain.get(0)), chain.toArray(X509Certificate[]::new));
        }
        return builder.build();
    }
}

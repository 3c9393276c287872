// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.config.PemFiles;
import dev.spindle.gateway.config.Settings;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The TLS identities of the gateway as a server, by the names in their certificates. Immutable. */
final class ServerTls {
    /** The type of a name in DNS among the alternative names of a certificate. */
    private static final int DNS = 2;

    private final SslContext first;
    private final Map<String, SslContext> byName = new HashMap<>();
    private final boolean several;

    private ServerTls(SslContext first, boolean several) {
        this.first = first;
        this.several = several;
    }

    /** Returns the files of all identities. */
    static List<Path> files(Settings config) {
        List<Path> all = new ArrayList<>();
        for (Settings.Tls one : identities(config)) {
            all.add(one.certificate());
            all.add(one.key());
        }
        return all;
    }

    private static List<Settings.Tls> identities(Settings config) {
        List<Settings.Tls> all = new ArrayList<>();
        if (config.tls() != null) {
            all.add(config.tls());
            all.addAll(config.moreTls());
        }
        return all;
    }

    /**
     * Loads all identities.
     *
     * @throws IOException if one cannot be loaded
     */
    static ServerTls load(Settings config) throws IOException {
        ServerTls made = null;
        for (Settings.Tls files : identities(config)) {
            try {
                List<X509Certificate> chain = PemFiles.certificates(files.certificate());
                SslContext context = context(config, files, chain);
                made = made == null ? new ServerTls(context, !config.moreTls().isEmpty()) : made;
                for (String name : names(chain.get(0))) {
                    made.byName.putIfAbsent(name, context);
                }
            } catch (IOException | IllegalArgumentException e) {
                throw new IOException(
                        "no TLS with certificate " + files.certificate() + " and key " + files.key()
                                + ", which must be PEM files, the key PKCS#8 without a password: " + e.getMessage(),
                        e);
            }
        }
        if (made == null) {
            throw new IllegalArgumentException("the settings have no TLS");
        }
        return made;
    }

    /** Returns the context of one identity, with ALPN if HTTP/2 is supported. */
    private static SslContext context(Settings config, Settings.Tls files, List<X509Certificate> chain)
            throws IOException {
        SslContextBuilder builder = SslContextBuilder.forServer(
                PemFiles.key(files.key(), chain.get(0)), chain.toArray(X509Certificate[]::new));
        if (config.http2()) {
            builder.ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            ApplicationProtocolConfig.Protocol.ALPN,
                            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                            ApplicationProtocolNames.HTTP_2,
                            ApplicationProtocolNames.HTTP_1_1));
        }
        return builder.build();
    }

    /** Returns the DNS names of a certificate, in lower case. */
    private static List<String> names(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        try {
            if (certificate.getSubjectAlternativeNames() != null) {
                for (List<?> name : certificate.getSubjectAlternativeNames()) {
                    if (name.get(0) instanceof Integer type && type == DNS) {
                        names.add(String.valueOf(name.get(1)).toLowerCase(Locale.ROOT));
                    }
                }
            }
        } catch (CertificateParsingException e) {
            throw new IllegalArgumentException("the alternative names of the certificate are malformed", e);
        }
        return names;
    }

    /** Returns whether the name that a client asks for chooses among several identities. */
    boolean isSeveral() {
        return several;
    }

    /** Returns the identity of clients that ask for no name. */
    SslContext first() {
        return first;
    }

    /**
     * Returns the identity for a name: one whose certificate has the name, or has it with a star for its first label;
     * otherwise the first.
     */
    SslContext of(@Nullable String name) {
        if (name == null) {
            return first;
        }
        String lower = name.toLowerCase(Locale.ROOT);
        SslContext found = byName.get(lower);
        int dot = lower.indexOf('.');
        if (found == null && dot > 0) {
            found = byName.get("*" + lower.substring(dot));
        }
        return found == null ? first : found;
    }
}

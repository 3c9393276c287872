// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of TLS to a backend, in PEM.
 *
 * @param ca the certificates of the authorities that the backend's certificate must come from; null for those of Java
 * @param certificate the certificate chain of the gateway as a client; null for none
 * @param key the private key of that certificate, PKCS#8, without a password; null for none
 */
public record BackendTls(
        @Nullable Path ca,
        @Nullable Path certificate,
        @Nullable Path key) {
    /**
     * Creates the files.
     *
     * @throws IllegalArgumentException if there is only one of certificate and key, or nothing at all
     */
    public BackendTls {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("tls needs certificate and key, or neither");
        }
        if (ca == null && certificate == null) {
            throw new IllegalArgumentException("tls of a backend needs ca, or certificate and key");
        }
    }

    /** Returns all files. */
    public List<Path> files() {
        List<Path> all = new ArrayList<>();
        for (Path file : new @Nullable Path[] {ca, certificate, key}) {
            if (file != null) {
                all.add(file);
            }
        }
        return all;
    }

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException if a file cannot be used
     */
    void check() {
        if (ca != null) {
            var unused = PemFiles.certificates(ca);
        }
        if (certificate != null && key != null) {
            var unused = PemFiles.key(key, PemFiles.certificates(certificate).get(0));
        }
    }
}

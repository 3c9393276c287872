// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate, for localhost or other names, made by the JDK's keytool. */
final class Pem {
    private static final String PASSWORD = "changeit";

    final Path certificate;
    final Path key;
    private final KeyStore store = KeyStore.getInstance("PKCS12");

    Pem(Path directory) throws IOException, InterruptedException, GeneralSecurityException {
        this(directory, "localhost", "san=dns:localhost,ip:127.0.0.1");
    }

    /** Makes a certificate with the given names. */
    Pem(Path directory, String name, String names) throws IOException, InterruptedException, GeneralSecurityException {
        Path file = directory.resolve("identity.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(Objects.requireNonNull(System.getProperty("java.home")), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "it",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        names,
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool failed");
        }
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        certificate = write(
                directory.resolve("cert.pem"),
                "CERTIFICATE",
                Objects.requireNonNull(store.getCertificate("it")).getEncoded());
        key = write(
                directory.resolve("key.pem"),
                "PRIVATE KEY",
                Objects.requireNonNull(Objects.requireNonNull(store.getKey("it", PASSWORD.toCharArray()))
                        .getEncoded()));
    }

    private static Path write(Path file, String what, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.write(
                file,
                ("-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    /** A context of a server with this certificate, which trusts the certificate of another alone. */
    SSLContext serving(Pem trusted) throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted.store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** A context that trusts this certificate alone. */
    SSLContext trusting() throws GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Readers of certificates and keys in PEM. An IllegalArgumentException names the file and the remedy. */
public final class PemFiles {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    /** The signatures by which a key is compared with a certificate, by the algorithm of the key. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA", "Ed25519", "Ed25519");

    private PemFiles() {}

    /**
     * Returns the certificates of a file, of which there is at least one.
     *
     * @throws IllegalArgumentException if the file cannot be read or has none
     */
    public static List<X509Certificate> certificates(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            List<X509Certificate> all = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (!all.isEmpty()) {
                return all;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the certificate " + file + ": " + e, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(file + " is no file of certificates in PEM: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException(file + " has no certificate in PEM");
    }

    /**
     * Returns the key of a file, after comparing it with a certificate.
     *
     * @throws IllegalArgumentException if the file cannot be read, has no key, or its key is not that of the
     *     certificate
     */
    public static PrivateKey key(Path file, X509Certificate certificate) {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the key " + file + ": " + e, e);
        }
        Matcher found = KEY.matcher(text);
        if (!found.find()) {
            throw new IllegalArgumentException(file + " has no key of PKCS#8 without a password in PEM;"
                    + " make one with openssl pkcs8 -topk8 -nodes -in " + file);
        }
        PublicKey known = certificate.getPublicKey();
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(String.valueOf(found.group(1)));
            PrivateKey key =
                    KeyFactory.getInstance(known.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(bytes));
            if (fits(key, known)) {
                return key;
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    file + " has no key for " + certificate.getSubjectX500Principal() + ", whose key is "
                            + known.getAlgorithm() + ": " + e.getMessage(),
                    e);
        }
        throw new IllegalArgumentException(
                "the key " + file + " is not that of the certificate of " + certificate.getSubjectX500Principal());
    }

    private static boolean fits(PrivateKey key, PublicKey known) throws GeneralSecurityException {
        String algorithm = SIGNATURES.get(known.getAlgorithm());
        if (algorithm == null) {
            return true;
        }
        byte[] text = "spindle".getBytes(StandardCharsets.US_ASCII);
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(known);
        signature.update(text);
        return signature.verify(signed);
    }
}

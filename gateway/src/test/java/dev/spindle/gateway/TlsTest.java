// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.config.BackendConfig;
import dev.spindle.gateway.config.BackendTls;
import dev.spindle.gateway.config.MistakesException;
import dev.spindle.gateway.config.Settings;
import dev.spindle.gateway.server.NettyGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates: of the gateway as a server and as a client, several, and changed while it runs. */
@Timeout(60)
class TlsTest {
    @TempDir
    private static Path folder;

    private static Pem server;
    private static Pem other;
    private static Pem client;

    @BeforeAll
    static void makeIdentities() throws Exception {
        server = new Pem(Files.createDirectory(folder.resolve("server")));
        other = new Pem(
                Files.createDirectory(folder.resolve("other")), "other", "san=dns:shop.example,dns:*.shop.example");
        client = new Pem(Files.createDirectory(folder.resolve("client")), "client", "san=dns:client.example");
    }

    /** A context that trusts all servers, so that a test sees each certificate. */
    private static SSLContext trustingAll() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsAll()}, null);
        return context;
    }

    private static final class TrustsAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** Returns the common name of the certificate that a server shows for a name, after asking it for an answer. */
    private static String shown(Address address, String name) throws Exception {
        SSLSocket socket = (SSLSocket) trustingAll().getSocketFactory().createSocket("127.0.0.1", address.port());
        if (!name.isEmpty()) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(name)));
            socket.setSSLParameters(parameters);
        }
        try (Wire wire = new Wire(socket)) {
            assertThat(wire.send(Wire.get("/")).read().body()).isEqualTo("fine");
            X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return shown.getSubjectX500Principal().getName().substring("CN=".length());
        }
    }

    private static Settings.Tls of(Pem identity) {
        return new Settings.Tls(identity.certificate, identity.key);
    }

    @Test
    void severalCertificates_areChosenByTheNameOfTheServer() throws Exception {
        try (TestBackend backend = TestBackend.saying("fine");
                NettyGateway gateway =
                        Gateways.start(Gateways.proxy(backend).tls(of(server)).moreTls(of(other)))) {
            assertThat(shown(gateway.address(), "localhost")).isEqualTo("localhost");
            assertThat(shown(gateway.address(), "shop.example")).isEqualTo("other");
            assertThat(shown(gateway.address(), "SHOP.Example")).isEqualTo("other");
            assertThat(shown(gateway.address(), "www.shop.example")).isEqualTo("other");
            assertThat(shown(gateway.address(), "a.www.shop.example")).isEqualTo("localhost");
            assertThat(shown(gateway.address(), "unknown.example")).isEqualTo("localhost");
            assertThat(shown(gateway.address(), "")).isEqualTo("localhost");
            try (Wire wire = Wire.to(gateway.address())) {
                wire.send(Wire.get("/")); // not TLS
                assertThat(wire.restOrReset()).doesNotContain("200");
            }
        }
    }

    @Test
    void plainAndTls_areServedByOneGateway() throws Exception {
        try (TestBackend backend = TestBackend.answering(
                        request -> Wire.ok("https".equals(request.field("x-forwarded-proto")) ? "fine" : "plain"));
                NettyGateway gateway = Gateways.start(
                        Gateways.proxy(backend).tls(of(server)).tlsListen(new Address("127.0.0.1", 0)))) {
            assertThat(Wire.ask(gateway, Wire.get("/")).body()).isEqualTo("plain");
            Address secure = gateway.secureAddress().orElseThrow();
            assertThat(shown(secure, "localhost")).isEqualTo("localhost");
            gateway.drain().join();
            assertThatThrownBy(() -> Wire.to(secure)).isInstanceOf(IOException.class);
        }
    }

    private static void copy(Pem from, Path certificate, Path key) throws IOException {
        Files.copy(from.certificate, certificate, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(from.key, key, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void changedCertificate_isLoadedAgain_unlessItDoesNotFitItsKey() throws Exception {
        Path at = Files.createDirectory(folder.resolve("changing"));
        Path certificate = at.resolve("cert.pem");
        Path key = at.resolve("key.pem");
        copy(server, certificate, key);
        try (TestBackend backend = TestBackend.saying("fine");
                OperationLog log = new OperationLog("the TLS of the gateway");
                NettyGateway gateway =
                        Gateways.start(Gateways.proxy(backend).tls(new Settings.Tls(certificate, key)))) {
            assertThat(shown(gateway.address(), "")).isEqualTo("localhost");
            Files.copy(other.certificate, certificate, StandardCopyOption.REPLACE_EXISTING);
            log.await("stays as it was: no TLS with certificate " + certificate);
            assertThat(shown(gateway.address(), "")).isEqualTo("localhost");
            Files.copy(other.key, key, StandardCopyOption.REPLACE_EXISTING);
            while (!shown(gateway.address(), "").equals("other")) {
                LockSupport.parkNanos(20_000_000);
            }
            log.await("was loaded again");
        }
    }

    private static NettyGateway to(TestBackend backend, BackendTls tls) throws IOException {
        return Gateways.start(Gateways.proxy(BackendConfig.builder(
                        "a", "https://localhost:" + backend.address().port())
                .instances(List.of(backend.address()))
                .tls(tls)));
    }

    @Test
    void backend_ofAPrivateAuthority_whichAsksForACertificate_isCalled() throws Exception {
        try (TestBackend backend = TestBackend.secure(server.serving(client), "fine");
                NettyGateway right = to(backend, new BackendTls(server.certificate, client.certificate, client.key));
                NettyGateway untrusted =
                        to(backend, new BackendTls(other.certificate, client.certificate, client.key));
                NettyGateway withoutIdentity = to(backend, new BackendTls(server.certificate, null, null));
                NettyGateway wrongIdentity =
                        to(backend, new BackendTls(server.certificate, other.certificate, other.key))) {
            assertThat(Wire.ask(right, Wire.get("/")).body()).isEqualTo("fine");
            assertThat(Wire.ask(untrusted, Wire.get("/")).status()).isEqualTo(502);
            assertThat(Wire.ask(withoutIdentity, Wire.get("/")).status()).isEqualTo(502);
            assertThat(Wire.ask(wrongIdentity, Wire.get("/")).status()).isEqualTo(502);
            assertThat(backend.requests).hasSize(1);
        }
    }

    @Test
    void backend_whoseCertificateHasAnotherName_isNotCalled() throws Exception {
        try (TestBackend backend = TestBackend.secure(other.serving(client), "fine");
                NettyGateway gateway = to(backend, new BackendTls(other.certificate, client.certificate, client.key))) {
            assertThat(Wire.ask(gateway, Wire.get("/")).status()).isEqualTo(502);
            assertThat(backend.requests).isEmpty();
        }
    }

    private static final String FILE = """
            listen: 127.0.0.1:8080
            tls:
              listen: 127.0.0.1:8443
              certificate: server/cert.pem
              key: server/key.pem
              more:
                - {certificate: other/cert.pem, key: other/key.pem}
            backends:
              a:
                url: https://localhost:9001
                tls: {ca: server/cert.pem, certificate: client/cert.pem, key: client/key.pem}
            routes:
              - {path: /*, proxy: a}
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "server/key.pem | other/key.pem | 3:3: the key",
                "server/key.pem | none.pem | 3:3: cannot read the key",
                "server/cert.pem | server/key.pem | 3:3:",
                "other/key.pem | server/key.pem | 7:7: the key",
                "key: other/key.pem | listen: 1 | 7:37: unknown key 'listen' in more",
                "client/key.pem | server/key.pem | 11:10: the key",
                "'ca: server/cert.pem, ' | 'ca: server/key.pem, ' | 11:10:",
                "', key: client/key.pem' | '' | 11:10: tls needs certificate and key, or neither",
                "https://localhost | http://localhost | 11:10: tls needs a url that begins with https://"
            })
    void file_withAMistake_isNamedWithItsPlaceAndTheRemedy(String good, String bad, String expected) throws Exception {
        String name = folder.resolve("tls.yaml").toString();
        assertThat(Settings.parse(name, FILE).moreTls()).hasSize(1);
        String text = FILE.replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad));

        assertThatThrownBy(() -> Settings.parse(name, text))
                .isInstanceOf(MistakesException.class)
                .hasMessageContaining(name + ":" + expected);
    }
}

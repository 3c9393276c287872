// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import dev.spindle.gateway.config.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** A backend that runs the script of a test, with a thread per connection. */
final class TestBackend implements AutoCloseable {
    private final ServerSocket server;
    private final Script script;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    final List<Wire.Message> requests = new CopyOnWriteArrayList<>();

    private TestBackend(InetAddress address, int port, Script script) throws IOException {
        this(new ServerSocket(port, 1_000, address), script);
    }

    private TestBackend(ServerSocket server, Script script) {
        this.server = server;
        this.script = script;
        Thread thread = new Thread(this::accept, "backend");
        thread.setDaemon(true);
        thread.start();
    }

    /** The behaviour of a backend on a connection, which is closed when the script returns. */
    interface Script {
        void run(Wire wire, TestBackend backend) throws IOException, InterruptedException;
    }

    static TestBackend of(Script script) throws IOException {
        return new TestBackend(InetAddress.getLoopbackAddress(), 0, script);
    }

    /** A backend with TLS, which says a body; clients need a certificate that the context trusts. */
    static TestBackend secure(SSLContext tls, String body) throws IOException {
        SSLServerSocket server = (SSLServerSocket)
                tls.getServerSocketFactory().createServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
        server.setNeedClientAuth(true);
        return new TestBackend(server, answers(request -> Wire.ok(body)));
    }

    /** A backend at a given address, which says a body. */
    static TestBackend sayingAt(String address, int port, String body) throws IOException {
        return new TestBackend(InetAddress.getByName(address), port, answers(request -> Wire.ok(body)));
    }

    /** Answers each request by a function, as often as the connection is used. */
    static TestBackend answering(Function<Wire.Message, String> answer) throws IOException {
        return of(answers(answer));
    }

    private static Script answers(Function<Wire.Message, String> answer) {
        return (wire, backend) -> {
            for (; ; ) {
                wire.send(answer.apply(backend.request(wire)));
            }
        };
    }

    static TestBackend saying(String body) throws IOException {
        return answering(request -> Wire.ok(body));
    }

    /** Reads a request, and records it. */
    Wire.Message request(Wire wire) throws IOException {
        Wire.Message request = wire.read();
        requests.add(request);
        return request;
    }

    private void accept() {
        try {
            for (; ; ) {
                Socket socket = server.accept();
                open.add(socket);
                connections.incrementAndGet();
                Thread thread = new Thread(() -> serve(socket), "backend connection");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket) {
        try (Wire wire = new Wire(socket)) {
            script.run(wire, this);
        } catch (IOException | InterruptedException e) {
            // the other end is gone, or the test is over
        } finally {
            open.remove(socket);
        }
    }

    int connections() {
        return connections.get();
    }

    Address address() {
        return new Address("127.0.0.1", server.getLocalPort());
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}

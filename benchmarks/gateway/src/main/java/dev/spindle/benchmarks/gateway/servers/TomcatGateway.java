// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import dev.spindle.benchmarks.executors.Pools;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** Tomcat with a thread per request, and a thread per call if a request makes several calls. */
final class TomcatGateway implements Server {
    private final Plan plan;
    private final boolean virtual;
    private final ExecutorService calls;
    private final AtomicLong failed = new AtomicLong();

    /**
     * Creates a server with virtual threads, or with platform threads: a bounded pool for requests and an unbounded
     * pool for calls.
     */
    TomcatGateway(Plan plan, boolean virtual) {
        this.plan = plan;
        this.virtual = virtual;
        calls = virtual ? Pools.virtualThreads() : Executors.newCachedThreadPool();
    }

    @Override
    public List<Integer> start() throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("spindle-bench-tomcat").toString());
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(0);
        set(connector, "address", "127.0.0.1");
        set(connector, "maxThreads", plan.connections() + 50);
        set(connector, "maxConnections", 20_000);
        set(connector, "acceptCount", Plan.BACKLOG);
        set(connector, "keepAliveTimeout", -1);
        set(connector, "maxKeepAliveRequests", -1);
        set(connector, "useVirtualThreads", virtual);
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "gateway", new Gateway()).addMapping("/*");
        tomcat.start();
        return List.of(connector.getLocalPort());
    }

    private static void set(Connector connector, String name, Object value) {
        if (!connector.setProperty(name, value.toString())) {
            throw new IllegalStateException("Tomcat has no setting " + name);
        }
    }

    /**
     * Returns the number of failed requests, the only command. {@code h2load} cannot read the status of Tomcat's
     * responses, which have no reason phrase.
     */
    @Override
    public String answer(String line) {
        return failed.toString();
    }

    private final class Gateway extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient List<BlockingClient> backends =
                plan.backends().stream().map(BlockingClient::new).toList();

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Route route = Route.at(request.getRequestURI()).orElse(Route.ONE);
            byte[] body;
            try {
                body = answer(route).getBytes(StandardCharsets.UTF_8);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
                return;
            } catch (Exception e) {
                failed.incrementAndGet();
                response.setStatus(HttpServletResponse.SC_BAD_GATEWAY);
                return;
            }
            response.setContentType(Route.TYPE);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }

        private String answer(Route route) throws Exception {
            if (route.calls() == 1) {
                return backends.get(0).call();
            }
            List<Future<String>> called = new ArrayList<>();
            for (BlockingClient backend : backends.subList(0, route.calls())) {
                called.add(calls.submit(backend::call));
            }
            List<String> bodies = new ArrayList<>();
            for (Future<String> answer : called) {
                bodies.add(outcome(answer));
            }
            return Route.together(bodies);
        }

        private static String outcome(Future<String> answer) throws IOException, InterruptedException {
            try {
                return answer.get();
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            }
        }
    }

    /**
     * A minimal blocking client of one backend, which reuses idle sockets. The client reads only the responses of
     * {@link Echo}, whose last header field is the content length. This class is thread-safe.
     */
    private static final class BlockingClient {
        private static final byte[] GET =
                "GET /echo HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        private static final int LONGEST_HEAD = 1_024;
        private final int port;
        private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();

        BlockingClient(int port) {
            this.port = port;
        }

        String call() throws IOException {
            Connection connection = idle.pollFirst();
            if (connection == null) {
                connection = new Connection(port);
            }
            try {
                String body = connection.call();
                idle.addFirst(connection);
                return body;
            } catch (IOException e) {
                connection.socket.close();
                throw e;
            }
        }

        private static final class Connection {
            private final Socket socket;
            private final InputStream in;
            private final byte[] head = new byte[LONGEST_HEAD];

            @SuppressWarnings("AddressSelection") // the address is numeric
            Connection(int port) throws IOException {
                socket = new Socket("127.0.0.1", port);
                socket.setTcpNoDelay(true);
                in = new BufferedInputStream(socket.getInputStream(), LONGEST_HEAD);
            }

            String call() throws IOException {
                socket.getOutputStream().write(GET);
                String fields = head();
                if (!fields.startsWith("HTTP/1.1 200 ")) {
                    throw new IOException("not a good answer: " + fields);
                }
                int length = Integer.parseInt(
                        fields.substring(fields.lastIndexOf(':') + 1).trim());
                byte[] body = in.readNBytes(length);
                if (body.length < length) {
                    throw new EOFException("the answer ended after " + body.length + " of " + length + " bytes");
                }
                return new String(body, StandardCharsets.UTF_8);
            }

            private String head() throws IOException {
                int length = 0;
                for (int next = in.read(); next != '\n' || length < 3 || head[length - 2] != '\n'; next = in.read()) {
                    if (next < 0 || length == LONGEST_HEAD) {
                        throw new EOFException("no end of the fields after " + length + " bytes");
                    }
                    head[length++] = (byte) next;
                }
                return new String(head, 0, length, StandardCharsets.US_ASCII);
            }
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import dev.spindle.benchmarks.peers.Pools;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        Map<String, Object> settings = Map.of(
                "address",
                "127.0.0.1",
                "maxThreads",
                plan.connections() + 50,
                "maxConnections",
                20_000,
                "acceptCount",
                Plan.BACKLOG,
                "keepAliveTimeout",
                -1,
                "maxKeepAliveRequests",
                -1,
                "useVirtualThreads",
                virtual);
        settings.forEach((name, value) -> {
            if (!connector.setProperty(name, value.toString())) {
                throw new IllegalStateException("Tomcat has no setting " + name);
            }
        });
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "gateway", new Gateway()).addMapping("/*");
        tomcat.start();
        return List.of(connector.getLocalPort());
    }

    /**
     * Returns the number of failed requests. {@code h2load} cannot read the status of Tomcat's responses, which have no
     * reason phrase.
     */
    @Override
    public long failed() {
        return failed.get();
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
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import static java.util.Objects.requireNonNull;

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

/** Tomcat: a thread for each request, and one for each call that is made beside others. */
final class TomcatGateway implements Server {
    private final Plan plan;
    private final boolean virtual;
    private final ExecutorService calls;
    private final AtomicLong failed = new AtomicLong();

    private TomcatGateway(Plan plan, boolean virtual, ExecutorService calls) {
        this.plan = plan;
        this.virtual = virtual;
        this.calls = calls;
    }

    /** As many threads as clients and some, and a pool without a bound for the calls. */
    static TomcatGateway onPlatformThreads(Plan plan) {
        return new TomcatGateway(plan, false, Executors.newCachedThreadPool());
    }

    static TomcatGateway onVirtualThreads(Plan plan) {
        try {
            Object executor =
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
            return new TomcatGateway(plan, true, requireNonNull((ExecutorService) executor));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Java has no virtual threads", e);
        }
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
        Tomcat.addServlet(context, "gateway", new Gateway(backends())).addMapping("/*");
        tomcat.start();
        return List.of(connector.getLocalPort());
    }

    /** Its status lines have no reason, and h2load reads none of those. */
    @Override
    public long failed() {
        return failed.get();
    }

    /** Calls a backend with what another has answered, or with nothing. */
    private interface Backend {
        String call(String sent) throws Exception;
    }

    private List<Backend> backends() {
        List<Backend> backends = new ArrayList<>();
        for (int port : plan.backends()) {
            backends.add(
                    plan.guard() == Plan.Guard.CALLS
                            ? new GuardedCalls(port, plan.callsAtOnce())::call
                            : new BlockingClient(port, 0)::call);
        }
        return backends;
    }

    private final class Gateway extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient List<Backend> backends;

        Gateway(List<Backend> backends) {
            this.backends = backends;
        }

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
            response.setContentType(Answers.TYPE);
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }

        private String answer(Route route) throws Exception {
            if (route.inTurn() || route.calls() == 1) {
                String last = "";
                for (Backend backend : backends.subList(0, route.calls())) {
                    last = backend.call(last);
                }
                return last;
            }
            List<Future<String>> called = new ArrayList<>();
            for (Backend backend : backends.subList(0, route.calls())) {
                called.add(calls.submit(() -> backend.call("")));
            }
            List<String> bodies = new ArrayList<>();
            for (Future<String> answer : called) {
                bodies.add(outcome(answer));
            }
            return Answers.together(bodies);
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

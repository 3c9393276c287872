// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Keyed;
import dev.spindle.LogicalExecutor;
import dev.spindle.Spindle;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TomcatTest {
    private final Watch watch = new Watch();
    private final AtomicBoolean elsewhere = new AtomicBoolean();

    @TempDir
    private Path folder = Path.of("");

    private void answer(AsyncContext async) {
        watch.run("a", 0);
        try {
            async.getResponse().getWriter().print("ok");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Orders extends HttpServlet {
        private static final long serialVersionUID = 1;
        private final transient Keyed<String> tenants;

        Orders(Keyed<String> tenants) {
            this.tenants = tenants;
        }

        // snippet: tomcat
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext async = request.startAsync();
            tenants.execute(String.valueOf(request.getHeader("Tenant")), () -> {
                try {
                    answer(async); // no request of the tenant runs at the same time
                } finally {
                    async.complete();
                }
            });
        }
        // end

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            elsewhere.compareAndSet(false, !Thread.currentThread().getName().startsWith("spindle"));
            super.service(request, response);
        }
    }

    private final class OrdersOnAPool extends HttpServlet {
        private static final long serialVersionUID = 1;
        private final transient ExecutorService pool;

        OrdersOnAPool(ExecutorService pool) {
            this.pool = pool;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext async = request.startAsync();
            pool.execute(() -> {
                answer(async);
                async.complete();
            });
        }
    }

    @Test
    void servlet_keyedByTenant_runsOneRequestOfATenantAtATime() throws Exception {
        try (Spindle spindle = Spindle.builder().name("spindle").build()) {
            LogicalExecutor requests = spindle.executor("requests", 200);

            assertThat(failures(new Orders(spindle.keyed("tenants")), requests)).isZero();
        }

        assertThat(watch.ran()).isEqualTo(HttpClients.REQUESTS);
        assertThat(watch.overlaps()).isZero();
        assertThat(elsewhere).isFalse(); // Tomcat has no pool of its own
    }

    @Test
    void control_plainPool_overlaps() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(8);

        assertThat(failures(new OrdersOnAPool(pool), pool)).isZero();
        pool.shutdown();
        assertThat(watch.overlaps()).isPositive();
    }

    private long failures(HttpServlet servlet, Executor requests) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        Context context = tomcat.addContext("", folder.toString());
        Wrapper orders = Tomcat.addServlet(context, "orders", servlet);
        orders.setAsyncSupported(true);
        orders.addMapping("/orders");
        // snippet: tomcat-executor
        tomcat.getConnector().getProtocolHandler().setExecutor(requests); // spindle.executor("requests", 200)
        // end
        tomcat.start();
        try {
            return HttpClients.failures(tomcat.getConnector().getLocalPort());
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }
}

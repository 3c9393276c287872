// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import static java.util.Objects.requireNonNull;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A Vert.x gateway with one event loop and a pooled client; {@code Future.all} joins the calls. */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection
final class VertxGateway implements Server {
    private static final int START_SECONDS = 20;

    private final Plan plan;

    VertxGateway(Plan plan) {
        this.plan = plan;
    }

    @Override
    public List<Integer> start() throws Exception {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
        Gateway gateway = new Gateway(plan);
        vertx.deployVerticle(gateway).await(START_SECONDS, TimeUnit.SECONDS);
        return List.of(gateway.port);
    }

    private static final class Gateway extends VerticleBase {
        private final Plan plan;
        private volatile int port;

        Gateway(Plan plan) {
            this.plan = plan;
        }

        @Override
        public Future<?> start() {
            HttpClient client = vertx.createHttpClient(
                    new HttpClientOptions().setTcpNoDelay(true),
                    new PoolOptions().setHttp1MaxSize(plan.callsAtOnce()).setMaxWaitQueueSize(-1));
            HttpServer server = vertx.createHttpServer(new HttpServerOptions().setAcceptBacklog(Plan.BACKLOG));
            return server.requestHandler(request -> answer(client, request))
                    .listen(0, "127.0.0.1")
                    .onSuccess(listening -> port = listening.actualPort());
        }

        private void answer(HttpClient client, HttpServerRequest request) {
            Route route = Route.at(requireNonNull(request.path())).orElse(Route.ONE);
            Future<Buffer> body = Future.all(IntStream.range(0, route.calls())
                            .mapToObj(index -> call(client, index))
                            .toList())
                    .map(all -> together(all.list()));
            body.onComplete(
                    whole -> request.response()
                            .putHeader("content-type", Route.TYPE)
                            .end(whole),
                    broken -> request.response().setStatusCode(502).end());
        }

        private static Buffer together(List<Buffer> bodies) {
            if (bodies.size() == 1) {
                return bodies.get(0);
            }
            Buffer whole = Buffer.buffer(1_024);
            for (Buffer body : bodies) {
                whole.appendByte((byte) (whole.length() == 0 ? '[' : ',')).appendBuffer(body);
            }
            return whole.appendByte((byte) ']');
        }

        private Future<Buffer> call(HttpClient client, int index) {
            return client.request(HttpMethod.GET, plan.backends().get(index), "127.0.0.1", "/echo")
                    .compose(HttpClientRequest::send)
                    .compose(HttpClientResponse::body);
        }
    }
}

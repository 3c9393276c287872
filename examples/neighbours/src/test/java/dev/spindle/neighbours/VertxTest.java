// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.Lane;
import dev.spindle.Spindle;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VertxTest {
    private static final int ATTEMPTS = 50;

    private final Watch watch = new Watch();

    /** Answers a line of a connection. */
    private interface Handler {
        void handle(NetSocket socket, Context context, String request);
    }

    private String answer(String request) {
        int number = Integer.parseInt(request);
        watch.run("connection", number);
        return number + "\n";
    }

    @Test
    void runOnContext_insideTheTask_answersInTheOrderOfTheRequests() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            Lane connection = spindle.keyed("connections").at("connection");

            assertThat(disorder((socket, context, request) -> {
                        // snippet: vertx
                        connection.execute(() -> {
                            String answer = answer(request); // may block: the event loop does not wait
                            context.runOnContext(ignored -> socket.write(answer)); // one after another, on the loop
                        });
                        // end
                    }))
                    .isZero();
        }

        assertThat(watch.ran()).isEqualTo(LineClient.LINES);
        assertThat(watch.disorder()).isZero();
    }

    /** A future that is complete when the loop looks at it answers at once, before those that come through the loop. */
    @Test
    void control_fromCompletionStage_answersOvertake() throws Exception {
        int disorder = 0;
        try (Spindle spindle = Spindle.create()) {
            Lane connection = spindle.keyed("connections").at("connection");
            for (int attempt = 0; attempt < ATTEMPTS && disorder == 0; attempt++) {
                disorder = disorder((socket, context, request) -> Future.fromCompletionStage(
                                connection.submit(() -> request + "\n"), context)
                        .onSuccess(socket::write));
            }
        }

        assertThat(disorder).isPositive();
    }

    @Test
    void control_plainPool_answersOvertake() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(8);

        assertThat(disorder((socket, context, request) -> pool.execute(() -> {
                    String answer = answer(request);
                    context.runOnContext(ignored -> socket.write(answer));
                })))
                .isPositive();
        pool.shutdown();
    }

    private static int disorder(Handler handler) throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            NetServer server = vertx.createNetServer().connectHandler(socket -> {
                Context context = vertx.getOrCreateContext();
                socket.handler(
                        RecordParser.newDelimited("\n", line -> handler.handle(socket, context, line.toString())));
            });
            int port = server.listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(30, TimeUnit.SECONDS)
                    .actualPort();
            return LineClient.disorder(port);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }
}

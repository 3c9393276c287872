// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import static io.grpc.stub.ServerCalls.asyncUnaryCall;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls.UnaryMethod;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GrpcTest {
    private static final int CALLS = 300;
    private static final int ATTEMPTS = 20;
    private static final Metadata.Key<String> TENANT = Metadata.Key.of("tenant", Metadata.ASCII_STRING_MARSHALLER);

    private static final Marshaller<String> TEXT = new Marshaller<>() {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    private static final MethodDescriptor<String, String> METHOD = MethodDescriptor.newBuilder(TEXT, TEXT)
            .setFullMethodName("shop/order")
            .setType(MethodDescriptor.MethodType.UNARY)
            .build();

    private static final class ByTenant implements ServerCallExecutorSupplier {
        private final Keyed<String> tenants;

        ByTenant(Keyed<String> tenants) {
            this.tenants = tenants;
        }

        // snippet: grpc
        @Override
        public <Q, A> Executor getExecutor(ServerCall<Q, A> call, Metadata headers) {
            return tenants.at(tenantOf(headers));
        }
        // end
    }

    private static String tenantOf(Metadata headers) {
        String tenant = headers.get(TENANT);
        return tenant == null ? "" : tenant;
    }

    @Test
    void callExecutor_keyedByTenant_handlesTheCallsOfATenantOneAtATime() throws Exception {
        Watch watch = new Watch();
        try (Spindle spindle = Spindle.create()) {
            Keyed<String> tenants = spindle.keyed("tenants");
            // snippet: grpc-server
            NettyServerBuilder builder = NettyServerBuilder.forAddress(loopback())
                    .directExecutor() // the look-up of the method, on the transport's thread
                    .callExecutor(new ByTenant(tenants)); // everything else
            // end
            callAll(builder, watch);
        }

        assertThat(watch.ran()).isEqualTo(CALLS);
        assertThat(watch.overlaps()).isZero();
        assertThat(watch.disorder()).isLessThan(CALLS / 20); // gRPC promises no order between calls
    }

    /** The look-up of the method is on gRPC's own pool then. */
    @Test
    void control_callExecutorAlone_callsOvertakeAlthoughNoneOverlap() throws Exception {
        Watch watch = new Watch();
        try (Spindle spindle = Spindle.create()) {
            for (int attempt = 0; attempt < ATTEMPTS && watch.disorder() == 0; attempt++) {
                Keyed<String> tenants = spindle.keyed("tenants-" + attempt);
                callAll(NettyServerBuilder.forAddress(loopback()).callExecutor(new ByTenant(tenants)), watch);
            }
        }

        assertThat(watch.overlaps()).isZero();
        assertThat(watch.disorder()).isPositive();
    }

    @Test
    void control_plainPool_overlaps() throws Exception {
        Watch watch = new Watch();
        ExecutorService pool = Executors.newFixedThreadPool(8);
        callAll(NettyServerBuilder.forAddress(loopback()).executor(pool), watch);
        pool.shutdown();

        assertThat(watch.ran()).isEqualTo(CALLS);
        assertThat(watch.disorder()).isPositive();
    }

    @Test
    void callExecutor_handlerThatThrows_failsTheCallAtOnce() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            NettyServerBuilder builder = NettyServerBuilder.forAddress(loopback())
                    .directExecutor()
                    .callExecutor(new ByTenant(spindle.keyed("tenants")));

            assertThat(failure(builder, (request, answer) -> fail(), 30)).isEqualTo(Status.Code.UNKNOWN);
        }
    }

    @Test
    void control_handlerThatHandsOverAndThrows_leavesTheClientToItsDeadline() throws Exception {
        try (Spindle spindle = Spindle.builder()
                .onFailure((activity, failure) -> {}) // the client learns nothing of it
                .build()) {
            Keyed<String> tenants = spindle.keyed("tenants");
            NettyServerBuilder builder = NettyServerBuilder.forAddress(loopback());

            assertThat(failure(builder, (request, answer) -> tenants.execute("a", GrpcTest::fail), 1))
                    .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        }
    }

    private static void fail() {
        throw new IllegalStateException("thrown by a handler");
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static Server start(NettyServerBuilder builder, UnaryMethod<String, String> handler) throws IOException {
        return builder.addService(ServerServiceDefinition.builder("shop")
                        .addMethod(METHOD, asyncUnaryCall(handler))
                        .build())
                .build()
                .start();
    }

    private static ManagedChannel connect(Server server) {
        Metadata headers = new Metadata();
        headers.put(TENANT, "a");
        return NettyChannelBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()))
                .usePlaintext()
                .intercept(MetadataUtils.newAttachHeadersInterceptor(headers))
                .build();
    }

    /** Sends calls of one tenant over one connection, without waiting for answers. */
    private static void callAll(NettyServerBuilder builder, Watch watch) throws Exception {
        Server server = start(builder, (request, answer) -> {
            watch.run("a", Integer.parseInt(request));
            answer.onNext(request);
            answer.onCompleted();
        });
        ManagedChannel channel = connect(server);
        try {
            ClientCalls.blockingUnaryCall(channel, METHOD, CallOptions.DEFAULT, "0"); // connects
            CountDownLatch answered = new CountDownLatch(CALLS - 1);
            for (int number = 1; number < CALLS; number++) {
                ClientCalls.asyncUnaryCall(
                        channel.newCall(METHOD, CallOptions.DEFAULT), Integer.toString(number), counting(answered));
            }
            assertThat(answered.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            channel.shutdownNow();
            server.shutdownNow().awaitTermination();
        }
    }

    private static StreamObserver<String> counting(CountDownLatch answered) {
        return new StreamObserver<>() {
            @Override
            public void onNext(String value) {}

            @Override
            public void onError(Throwable failure) {
                answered.countDown();
            }

            @Override
            public void onCompleted() {
                answered.countDown();
            }
        };
    }

    private static Status.@Nullable Code failure(
            NettyServerBuilder builder, UnaryMethod<String, String> handler, int deadlineSeconds) throws Exception {
        Server server = start(builder, handler);
        ManagedChannel channel = connect(server);
        try {
            CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(deadlineSeconds, TimeUnit.SECONDS);
            Status.Code[] code = new Status.Code[1];
            assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(channel, METHOD, options, "0"))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            thrown -> code[0] = thrown.getStatus().getCode());
            return code[0];
        } finally {
            channel.shutdownNow();
            server.shutdownNow().awaitTermination();
        }
    }
}

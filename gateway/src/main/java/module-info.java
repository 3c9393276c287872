// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** An HTTP gateway, which answers each request by calling other servers. */
@SuppressWarnings("requires-automatic")
module dev.spindle.gateway {
    requires transitive dev.spindle.core;
    requires dev.spindle.flow;
    requires static org.jspecify;
    requires static info.picocli;
    requires static io.github.resilience4j.circuitbreaker;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.codec.http2;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.resolver;
    requires io.netty.resolver.dns;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires org.snakeyaml.engine.v2;

    exports dev.spindle.gateway;

    opens dev.spindle.gateway.command to
            info.picocli;
}

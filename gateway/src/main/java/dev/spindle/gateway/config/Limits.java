// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of the server side. Immutable.
 *
 * <p>A request that exceeds a limit gets the status that the description of the limit names, or its connection is
 * closed.
 */
public final class Limits {
    private final Builder options;

    private Limits(Builder options) {
        this.options = options;
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the maximum bytes of all fields of a head, by default 16 KiB. A longer head gets status 431. */
    public int head() {
        return options.head;
    }

    /** Returns the maximum bytes of a first line, by default 8 KiB. A longer line gets status 414. */
    public int line() {
        return options.line;
    }

    /** Returns the maximum number of fields of a head, by default 100. A head with more fields gets status 431. */
    public int fields() {
        return options.fields;
    }

    /** Returns the maximum bytes of a request's body, by default 1 MiB. A longer body gets status 413. */
    public long body() {
        return options.body;
    }

    /**
     * Returns the maximum bytes of an answer that is held until it is complete, by default 4 MiB. If an answer is
     * longer, the client gets status 502.
     */
    public int answer() {
        return options.answer;
    }

    /**
     * Returns the maximum bytes of bodies and answers that the gateway holds at once, by default a quarter of the heap.
     * A body is held until the backend's socket has taken it; an answer is held until the client's socket has taken it.
     * Above the limit, the clients that have taken no bytes for the longest time are cut off. If this is not enough,
     * the request that needs memory gets status 503.
     */
    public long memory() {
        return options.memory;
    }

    /**
     * Returns the maximum number of open connections of clients, by default 10,000; further connections are closed at
     * once.
     */
    public int connections() {
        return options.connections;
    }

    /** Returns the maximum number of requests under way, by default 10,000. Further requests get status 503. */
    public Concurrency requests() {
        return options.requests;
    }

    /** Returns the maximum number of requests under way of one client's address; 0, the default, for no limit. */
    public int perClient() {
        return options.perClient;
    }

    /** Returns the maximum number of streams of an HTTP/2 connection, by default 100. */
    public int streams() {
        return options.streams;
    }

    /**
     * Returns the time limit of a head, from its first byte, and of a TLS handshake, by default 10 s. After this
     * time, the client gets status 408, or its HTTP/2 connection or handshake is closed.
     */
    public Duration headTime() {
        return options.headTime;
    }

    /** Returns the time limit of the next piece of a body, by default 10 s. A late piece gets status 408. */
    public Duration bodyTime() {
        return options.bodyTime;
    }

    /**
     * Returns the time for which a client may take no bytes of an answer, by default 30 s. Afterwards its connection is
     * closed, or its HTTP/2 stream is reset.
     */
    public Duration writeTime() {
        return options.writeTime;
    }

    /** Returns the time after which a connection without a request is closed, by default 60 s. */
    public Duration idleTime() {
        return options.idleTime;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Limits that && options.key().equals(that.options.key());
    }

    @Override
    public int hashCode() {
        return options.key().hashCode();
    }

    /** A builder of {@link Limits}. Not thread-safe. */
    public static final class Builder {
        private int head = 16 << 10;
        private int line = 8 << 10;
        private int fields = 100;
        private long body = 1 << 20;
        private int answer = 4 << 20;
        private long memory = Runtime.getRuntime().maxMemory() / 4;
        private int connections = 10_000;
        private Concurrency requests = Concurrency.fixed(10_000);
        private int perClient;
        private int streams = 100;
        private Duration headTime = Duration.ofSeconds(10);
        private Duration bodyTime = Duration.ofSeconds(10);
        private Duration writeTime = Duration.ofSeconds(30);
        private Duration idleTime = Duration.ofSeconds(60);

        private Builder() {}

        private Builder(Builder from) {
            head = from.head;
            line = from.line;
            fields = from.fields;
            body = from.body;
            answer = from.answer;
            memory = from.memory;
            connections = from.connections;
            requests = from.requests;
            perClient = from.perClient;
            streams = from.streams;
            headTime = from.headTime;
            bodyTime = from.bodyTime;
            writeTime = from.writeTime;
            idleTime = from.idleTime;
        }

        /** Sets the maximum bytes of a head, from 256 bytes to 1 MiB. */
        public Builder head(long bytes) {
            head = (int) ArgumentChecks.within("head", bytes, 256, 1 << 20);
            return this;
        }

        /** Sets the maximum bytes of a first line, from 64 bytes to 1 MiB. */
        public Builder line(long bytes) {
            line = (int) ArgumentChecks.within("line", bytes, 64, 1 << 20);
            return this;
        }

        /** Sets the maximum number of fields, from 1 to 10,000. */
        public Builder fields(int most) {
            fields = (int) ArgumentChecks.within("fields", most, 1, 10_000);
            return this;
        }

        /** Sets the maximum bytes of a request's body; 0 permits no body. */
        public Builder body(long bytes) {
            body = ArgumentChecks.within("body", bytes, 0, Long.MAX_VALUE);
            return this;
        }

        /** Sets the maximum bytes of an answer that is held, up to 1 GiB. */
        public Builder answer(long bytes) {
            answer = (int) ArgumentChecks.within("answer", bytes, 0, 1 << 30);
            return this;
        }

        /** Sets the maximum bytes of bodies and answers that are held at once, at least 1 MiB. */
        public Builder memory(long bytes) {
            memory = ArgumentChecks.within("memory", bytes, 1 << 20, Long.MAX_VALUE);
            return this;
        }

        /** Sets the maximum number of connections. */
        public Builder connections(int most) {
            connections = (int) ArgumentChecks.within("connections", most, 1, Integer.MAX_VALUE);
            return this;
        }

        /** Sets the maximum number of requests under way. */
        public Builder requests(Concurrency most) {
            requests = requireNonNull(most, "requests");
            return this;
        }

        /** Sets the maximum number of requests under way of one client's address. */
        public Builder perClient(int most) {
            perClient = (int) ArgumentChecks.within("per-client", most, 1, 1_000_000);
            return this;
        }

        /** Sets the maximum number of streams of a connection, up to 10,000. */
        public Builder streams(int most) {
            streams = (int) ArgumentChecks.within("streams", most, 1, 10_000);
            return this;
        }

        /** Sets the time limit of a head. */
        public Builder headTime(Duration time) {
            headTime = ArgumentChecks.positive("head-time", time);
            return this;
        }

        /** Sets the time limit of a piece of a body. */
        public Builder bodyTime(Duration time) {
            bodyTime = ArgumentChecks.positive("body-time", time);
            return this;
        }

        /** Sets the time for which a client may take no bytes of an answer. */
        public Builder writeTime(Duration time) {
            writeTime = ArgumentChecks.positive("write-time", time);
            return this;
        }

        /** Sets the time after which a connection without a request is closed. */
        public Builder idleTime(Duration time) {
            idleTime = ArgumentChecks.positive("idle-time", time);
            return this;
        }

        /** Returns all values, by which {@code Limits} are compared. */
        private List<Object> key() {
            return List.of(
                    head,
                    line,
                    fields,
                    body,
                    answer,
                    memory,
                    connections,
                    requests,
                    perClient,
                    streams,
                    headTime,
                    bodyTime,
                    writeTime,
                    idleTime);
        }

        /** Builds the limits. */
        public Limits build() {
            return new Limits(new Builder(this));
        }
    }
}

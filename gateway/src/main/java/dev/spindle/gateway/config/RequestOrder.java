// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

/**
 * The rule that determines which requests of a route go to the backends one after another, in the order of their
 * arrival. Immutable.
 */
public final class RequestOrder {
    private static final RequestOrder NONE = new RequestOrder(By.NOTHING, "", 0);
    private static final RequestOrder CLIENT = new RequestOrder(By.CLIENT, "", 0);
    private static final RequestOrder CONNECTION = new RequestOrder(By.CONNECTION, "", 0);

    private final By by;
    private final String header;
    private final int segment;

    private RequestOrder(By by, String header, int segment) {
        this.by = by;
        this.header = header;
        this.segment = segment;
    }

    /** The property of requests that determines the order: requests with equal values go one after another. */
    public enum By {
        /** No property: requests have no order. */
        NOTHING,
        /** The connection of the requests. */
        CONNECTION,
        /** The address of the client. */
        CLIENT,
        /** The value of a header field; requests without the field have no order. */
        HEADER,
        /** A segment of the path; requests without the segment have no order. */
        SEGMENT
    }

    /**
     * Returns the rule by which no request waits for another. The requests of one HTTP/1.1 connection are always served
     * one after another.
     */
    public static RequestOrder none() {
        return NONE;
    }

    /** Returns the rule that orders the requests of one connection, including the streams of an HTTP/2 connection. */
    public static RequestOrder byConnection() {
        return CONNECTION;
    }

    /** Returns the rule that orders the requests of one client's address. */
    public static RequestOrder byClient() {
        return CLIENT;
    }

    /**
     * Returns the rule that orders the requests with the same value of a header field.
     *
     * @throws IllegalArgumentException if {@code name} is not the name of a field
     */
    public static RequestOrder byHeader(String name) {
        return new RequestOrder(By.HEADER, ArgumentChecks.fieldName("name", name), 0);
    }

    /**
     * Returns the rule that orders the requests with the same segment of the path.
     *
     * @param number the number of the segment, from 1; the second segment of {@code /orders/17} is {@code 17}
     * @throws IllegalArgumentException if {@code number} is not from 1 to 100
     */
    public static RequestOrder bySegment(int number) {
        return new RequestOrder(By.SEGMENT, "", (int) ArgumentChecks.within("segment", number, 1, 100));
    }

    /** Returns the property that determines the order. */
    public By by() {
        return by;
    }

    /** Returns the header field that determines the order; empty if the order does not depend on a field. */
    public String header() {
        return header;
    }

    /**
     * Returns the number of the segment that determines the order, from 1; 0 if the order does not depend on a segment.
     */
    public int segment() {
        return segment;
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static java.util.Objects.requireNonNull;

/** Which requests of a route go to the backends one after another, in the order in which they were read. Immutable. */
public final class Order {
    private static final Order NONE = new Order(By.NOTHING, "", 0);
    private static final Order CONNECTION = new Order(By.CONNECTION, "", 0);

    private final By by;
    private final String header;
    private final int segment;

    private Order(By by, String header, int segment) {
        this.by = by;
        this.header = header;
        this.segment = segment;
    }

    /** What makes two requests go one after another. */
    public enum By {
        /** Nothing does. */
        NOTHING,
        /** The connection. */
        CONNECTION,
        /** The value of a header field; requests without it have no order. */
        HEADER,
        /** A segment of the path; requests without it have no order. */
        SEGMENT
    }

    /** Returns no order. On an HTTP/1.1 connection requests go one after another all the same. */
    public static Order none() {
        return NONE;
    }

    /** Returns the order of the requests of one connection, its HTTP/2 streams included. */
    public static Order byConnection() {
        return CONNECTION;
    }

    /**
     * Returns the order of the requests with the same value of a header field.
     *
     * @throws IllegalArgumentException if {@code name} is no name of a field
     */
    public static Order byHeader(String name) {
        if (!Names.isToken(requireNonNull(name, "name"))) {
            throw new IllegalArgumentException("'" + name + "' is no name of a header field");
        }
        return new Order(By.HEADER, name, 0);
    }

    /**
     * Returns the order of the requests with the same segment of the path.
     *
     * @param number from 1; in {@code /orders/17} the second is {@code 17}
     * @throws IllegalArgumentException if {@code number} is not from 1 to 100
     */
    public static Order bySegment(int number) {
        return new Order(By.SEGMENT, "", (int) Values.within("segment", number, 1, 100));
    }

    /** Returns what the order goes by. */
    public By by() {
        return by;
    }

    /** Returns the header field, empty if the order does not go by one. */
    public String header() {
        return header;
    }

    /** Returns the number of the segment, from 1; 0 if the order does not go by one. */
    public int segment() {
        return segment;
    }
}

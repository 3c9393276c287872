// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import dev.spindle.Spindle;
import dev.spindle.flow.Deadline;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.time.Duration;
import java.util.List;

/**
 * The deadlines in the heads of messages: milliseconds in a field whose name is configured, or the field
 * {@code grpc-timeout} with its own syntax.
 *
 * <p>The head of a call states the remaining time, minus a margin for the transfer of the answer. Immutable; any thread
 * may call any method.
 */
public final class Deadlines {
    private static final AsciiString GRPC = AsciiString.cached("grpc-timeout");
    private static final String UNITS = "HMSmun";
    private static final long[] UNIT_NANOS = {
        3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L, 1L
    };
    /** The maximum number of digits of a time, as in {@code grpc-timeout}. */
    private static final int MOST_DIGITS = 8;
    /** The margin that is subtracted from the remaining time, so that the answers of backends arrive in time. */
    private static final int MARGIN_MILLIS = 5;

    private final Spindle spindle;
    private final AsciiString header;

    /**
     * Creates the rules.
     *
     * @param header the name of the configured field
     */
    public Deadlines(Spindle spindle, String header) {
        this.spindle = spindle;
        this.header = AsciiString.of(header);
    }

    /** Returns the name of the configured field. */
    public AsciiString header() {
        return header;
    }

    /** Returns whether a head states a deadline. */
    public boolean says(HttpHeaders headers) {
        return headers.contains(header) || headers.contains(GRPC);
    }

    /** Returns whether a head has {@code grpc-timeout}. */
    public boolean saysGrpcTimeout(HttpHeaders headers) {
        return headers.contains(GRPC);
    }

    /**
     * Returns the time by which a request must be answered: the deadline in its head, but at most {@code limit} from
     * now.
     *
     * @throws Refusal if a field does not contain a time, or occurs twice, or nothing is left of the time
     */
    public Deadline read(HttpHeaders headers, Duration limit) throws Refusal {
        Deadline deadline = Deadline.after(spindle, limit);
        if (!says(headers)) {
            return deadline;
        }
        if (headers.contains(header)) {
            deadline = deadline.within(Duration.ofMillis(number(only(headers.getAll(header)), header))); // B2
        }
        if (headers.contains(GRPC)) {
            String text = only(headers.getAll(GRPC));
            int unit = text.isEmpty() ? -1 : UNITS.indexOf(text.charAt(text.length() - 1));
            if (unit < 0) {
                throw new Refusal(400, "a grpc-timeout without a unit");
            }
            deadline = deadline.within(Duration.ofNanos(
                    number(text.substring(0, text.length() - 1), GRPC) * UNIT_NANOS[unit]));
        }
        if (deadline.isExpired()) {
            throw new Refusal(504, "nothing is left of the client's time limit");
        }
        return deadline;
    }

    /**
     * Returns whether the head of a request states a deadline in less than {@code limit}. {@link #read} must have
     * accepted the head.
     */
    public boolean isBelow(HttpHeaders headers, Duration limit) {
        try {
            Duration said = read(headers, Duration.ofNanos(Long.MAX_VALUE)).remaining();
            return said.compareTo(limit) < 0;
        } catch (Refusal e) {
            return false;
        }
    }

    private static String only(List<String> values) throws Refusal {
        if (values.size() != 1) {
            throw new Refusal(400, "more than one time limit");
        }
        return values.get(0);
    }

    private static long number(String digits, AsciiString field) throws Refusal {
        boolean fine = !digits.isEmpty() && digits.length() <= MOST_DIGITS;
        for (int i = 0; i < digits.length() && fine; i++) {
            fine = digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
        }
        if (!fine) {
            throw new Refusal(400, "a " + field + " that is no number of at most " + MOST_DIGITS + " digits");
        }
        return Long.parseLong(digits);
    }

    /**
     * Writes the remaining time into the head of a call.
     *
     * @param grpc true to write the time into {@code grpc-timeout} as well
     */
    public void write(HeadBytes head, Duration left, boolean grpc) {
        String millis = Long.toString(Math.min(99_999_999, Math.max(1, left.toMillis() - MARGIN_MILLIS)));
        head.field(header, millis);
        if (grpc) {
            head.field(GRPC, millis + "m");
        }
    }
}

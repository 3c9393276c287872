// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The speed of a replay: a multiple of real time, or as fast as the contender accepts the events.
 *
 * @param factor the multiple of real time; infinite for as fast as possible
 */
record Speed(double factor) {

    static final Speed MAX = new Speed(Double.POSITIVE_INFINITY);

    private static final double NANOS_PER_MINUTE = 60e9;

    boolean paced() {
        return factor < Double.POSITIVE_INFINITY;
    }

    /** Returns the nanoseconds in which {@code minutes} minutes are replayed. */
    long nanos(int minutes) {
        return (long) (minutes * NANOS_PER_MINUTE / factor);
    }

    /** Parses a speed such as {@code max}, {@code 100000} or {@code 100000x}. */
    static Speed parse(String text) {
        if (text.equalsIgnoreCase("max")) {
            return MAX;
        }
        String number = text.endsWith("x") ? text.substring(0, text.length() - 1) : text;
        try {
            double factor = Double.parseDouble(number);
            if (factor > 0 && factor < Double.POSITIVE_INFINITY) {
                return new Speed(factor);
            }
        } catch (NumberFormatException e) {
            // The exception below reports the value.
        }
        throw new IllegalArgumentException(
                "'" + text + "' is neither max nor a factor of real time above 0, such as 100000x");
    }

    static final class Converter implements ITypeConverter<Speed> {

        @Override
        public Speed convert(String value) {
            try {
                return parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}

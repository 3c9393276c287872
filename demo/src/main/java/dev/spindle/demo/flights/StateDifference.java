// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.flights;

import java.lang.reflect.RecordComponent;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares two states of an aircraft field by field. */
public final class StateDifference {

    private static final RecordComponent[] FIELDS =
            Objects.requireNonNull(AircraftState.class.getRecordComponents(), "the state is a record");

    private StateDifference() {}

    /**
     * Returns a message with the aircraft, the first field that differs and both values, or empty if all fields are
     * equal.
     */
    public static Optional<String> first(AircraftState actual, AircraftState expected) {
        for (RecordComponent field : FIELDS) {
            @Nullable Object is = value(field, actual);
            @Nullable Object should = value(field, expected);
            if (!Objects.equals(is, should)) {
                return Optional.of(
                        "aircraft " + expected.tail() + ": " + field.getName() + " is " + is + " and not " + should);
            }
        }
        return Optional.empty();
    }

    private static @Nullable Object value(RecordComponent field, AircraftState state) {
        try {
            return field.getAccessor().invoke(state);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the accessor of a record component cannot fail: " + field, e);
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import org.jspecify.annotations.Nullable;

/** Tells that a property of this module is refused: its name, its value, what is wrong, and what to do. */
final class SpindlePropertyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String property;
    private final String remedy;

    /** Creates the exception of the property {@code property} of a pool, without the prefix. */
    SpindlePropertyException(String property, Object value, @Nullable String problem) {
        this(property, " = " + value + ": " + problem, "Change the value.");
    }

    /**
     * Creates an exception.
     *
     * @param said what the message says after the name of the property
     * @param remedy what to do, in a sentence
     */
    SpindlePropertyException(String property, String said, String remedy) {
        super(property + said);
        this.property = property;
        this.remedy = remedy;
    }

    /** Returns this exception with the full name of the property, and the place where it is set. */
    SpindlePropertyException at(String prefix, @Nullable Object origin) {
        String said = String.valueOf(getMessage()).substring(property.length());
        String place = origin == null ? "" : " (" + origin + ")";
        return new SpindlePropertyException(prefix + property, place + said, remedy);
    }

    /** Returns the name of the property. */
    String property() {
        return property;
    }

    /** Returns what to do. */
    String remedy() {
        return remedy;
    }
}

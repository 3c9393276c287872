// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo.kafka;

/** Thrown if the broker does not answer, or refuses a request. */
final class NoBrokerException extends Exception {
    private static final long serialVersionUID = 1;

    NoBrokerException(String message, Throwable cause) {
        super(message, cause);
    }
}

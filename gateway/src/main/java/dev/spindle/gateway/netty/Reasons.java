// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import javax.net.ssl.SSLException;

/** Says in a few words what went wrong. */
final class Reasons {
    private Reasons() {}

    static String of(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof BackendException || cause instanceof FailedAnswer || cause instanceof Refusal) {
            return message;
        }
        if (cause instanceof SslHandshakeTimeoutException || cause instanceof SSLException) {
            return "TLS failed: " + message;
        }
        if (cause instanceof ConnectException) {
            return message.contains("timed out") ? "it did not answer in time" : "it was refused";
        }
        if (cause instanceof IOException) {
            return message.contains("reset") ? "it was reset" : message;
        }
        return cause.getClass().getSimpleName() + ": " + message;
    }
}

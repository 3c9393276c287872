// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import javax.net.ssl.SSLException;

/** The cause of a failed connection or call in a few words, for the log and for the field {@code Spindle-Reason}. */
public final class FailureText {
    private FailureText() {}

    /**
     * Returns the reason of a {@link ReasonedException}, or a description of another failure, such as a failure of TLS.
     */
    public static String of(Throwable cause) {
        if (cause instanceof ReasonedException reasoned) {
            return reasoned.reason();
        }
        String message = String.valueOf(cause.getMessage());
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

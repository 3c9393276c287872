// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.protocol.HeadBytes;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;

/** The first lines of answers by HTTP/1.1. */
final class StatusLines {
    private static final byte[][] LINES = new byte[600][];

    static {
        for (int status = 100; status < LINES.length; status++) {
            LINES[status] =
                    ("HTTP/1.1 " + HttpResponseStatus.valueOf(status) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        }
    }

    private StatusLines() {}

    /** Writes the line of a status from 100 to 599. */
    static void write(HeadBytes to, int status) {
        to.add(LINES[status]);
    }
}

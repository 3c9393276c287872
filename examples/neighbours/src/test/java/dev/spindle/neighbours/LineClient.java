// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends numbered lines over one connection without waiting for answers, and reads the answers. */
final class LineClient {
    static final int LINES = 300;
    private static final int LIMIT_MILLIS = 30_000;

    private LineClient() {}

    /** Returns how many answers came before that of a line that was sent earlier. */
    static int disorder(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(LIMIT_MILLIS);
            StringBuilder lines = new StringBuilder();
            for (int number = 0; number < LINES; number++) {
                lines.append(number).append('\n');
            }
            OutputStream out = socket.getOutputStream();
            out.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            int disorder = 0;
            for (int expected = 0; expected < LINES; expected++) {
                String answer = in.readLine();
                if (answer == null) {
                    throw new IOException("the connection ended after " + expected + " answers");
                }
                disorder += Integer.parseInt(answer) == expected ? 0 : 1;
            }
            return disorder;
        }
    }
}

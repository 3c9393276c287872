// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The cheapest blocking client of one backend: idle sockets on a stack, one write, blocking reads. It supports only
 * answers with a length. Thread-safe.
 */
final class BlockingClient {
    private static final byte[] GET =
            "GET /echo HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String LENGTH = "content-length:";
    private static final int LONGEST_LINE = 1_024;

    private final int port;
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();

    BlockingClient(int port) {
        this.port = port;
    }

    /** Returns the body of a good answer. */
    String call() throws IOException {
        Connection connection = idle.pollFirst();
        if (connection == null) {
            connection = new Connection(port);
        }
        try {
            String body = connection.call();
            idle.addFirst(connection);
            return body;
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    private static final class Connection {
        private final Socket socket;
        private final InputStream in;
        private final byte[] line = new byte[LONGEST_LINE];

        @SuppressWarnings("AddressSelection") // the address is a number
        Connection(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), LONGEST_LINE);
        }

        String call() throws IOException {
            socket.getOutputStream().write(GET);
            String status = line();
            if (!status.startsWith("HTTP/1.1 200 ")) {
                throw new IOException("not a good answer: " + status);
            }
            int length = -1;
            for (String header = line(); !header.isEmpty(); header = line()) {
                if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
                    length = Integer.parseInt(header.substring(LENGTH.length()).trim());
                }
            }
            if (length < 0) {
                throw new IOException("an answer without a length");
            }
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new EOFException("the answer ended after " + body.length + " of " + length + " bytes");
            }
            return new String(body, StandardCharsets.UTF_8);
        }

        private String line() throws IOException {
            int length = 0;
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0 || length == LONGEST_LINE) {
                    throw new EOFException("no line end after " + length + " bytes");
                }
                line[length++] = (byte) next;
            }
            int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
            return new String(line, 0, end, StandardCharsets.US_ASCII);
        }

        void close() throws IOException {
            socket.close();
        }
    }
}

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
 * Calls one backend the cheapest way that a thread can: idle sockets on a stack, one write, blocking reads. It knows
 * only answers with a length. Any number of threads.
 */
final class BlockingClient {
    private static final byte[] GET =
            "GET /echo HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String POST = "POST /echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ";
    private static final String LENGTH = "content-length:";
    private static final int LONGEST_LINE = 1_024;

    private final int port;
    private final int timeoutMillis;
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();

    /** @param timeoutMillis how long a read may take; 0 for ever */
    BlockingClient(int port, int timeoutMillis) {
        this.port = port;
        this.timeoutMillis = timeoutMillis;
    }

    /**
     * Returns the body of a good answer.
     *
     * @param sent what is sent along; empty for nothing
     */
    String call(String sent) throws IOException {
        Connection connection = idle.pollFirst();
        if (connection == null) {
            connection = new Connection(port, timeoutMillis);
        }
        try {
            String body = connection.call(request(sent));
            idle.addFirst(connection);
            return body;
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    private static byte[] request(String sent) {
        return sent.isEmpty() ? GET : (POST + sent.length() + "\r\n\r\n" + sent).getBytes(StandardCharsets.US_ASCII);
    }

    private static final class Connection {
        private final Socket socket;
        private final InputStream in;
        private final byte[] line = new byte[LONGEST_LINE];

        @SuppressWarnings("AddressSelection") // the address is a number
        Connection(int port, int timeoutMillis) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(timeoutMillis);
            in = new BufferedInputStream(socket.getInputStream(), LONGEST_LINE);
        }

        String call(byte[] request) throws IOException {
            socket.getOutputStream().write(request);
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

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A minimal blocking client of one backend, which reuses idle sockets. The client reads only the responses of
 * {@link Echo}, whose last header field is the content length. This class is thread-safe.
 */
final class BlockingClient {
    private static final byte[] GET =
            "GET /echo HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_HEAD = 1_024;
    private final int port;
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();

    BlockingClient(int port) {
        this.port = port;
    }

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
            connection.socket.close();
            throw e;
        }
    }

    private static final class Connection {
        private final Socket socket;
        private final InputStream in;
        private final byte[] head = new byte[LONGEST_HEAD];

        @SuppressWarnings("AddressSelection") // the address is numeric
        Connection(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), LONGEST_HEAD);
        }

        String call() throws IOException {
            socket.getOutputStream().write(GET);
            String fields = head();
            if (!fields.startsWith("HTTP/1.1 200 ")) {
                throw new IOException("not a good answer: " + fields);
            }
            int length = Integer.parseInt(
                    fields.substring(fields.lastIndexOf(':') + 1).trim());
            byte[] body = in.readNBytes(length);
            if (body.length < length) {
                throw new EOFException("the answer ended after " + body.length + " of " + length + " bytes");
            }
            return new String(body, StandardCharsets.UTF_8);
        }

        private String head() throws IOException {
            int length = 0;
            for (int next = in.read(); next != '\n' || length < 3 || head[length - 2] != '\n'; next = in.read()) {
                if (next < 0 || length == LONGEST_HEAD) {
                    throw new EOFException("no end of the fields after " + length + " bytes");
                }
                head[length++] = (byte) next;
            }
            return new String(head, 0, length, StandardCharsets.US_ASCII);
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import dev.spindle.gateway.config.Address;
import dev.spindle.gateway.server.NettyGateway;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection, byte by byte, for what no library of a client or server would send. Reads wait 10 s at most.
 */
final class Wire implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;

    private final Socket socket;
    private final InputStream in;

    Wire(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    static Wire to(Address address) throws IOException {
        return new Wire(new Socket(InetAddress.getLoopbackAddress(), address.port()));
    }

    /** Connects with a receive buffer so small that few bytes arrive unread. */
    static Wire narrow(Address address) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 << 10);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.port()));
        return new Wire(socket);
    }

    /** Sends one request and returns its answer. */
    static Message ask(NettyGateway gateway, String request) throws IOException {
        try (Wire wire = to(gateway.address())) {
            return wire.send(request).read();
        }
    }

    static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n";
    }

    static String post(String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: test\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    Wire send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    Wire send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Closes so that the other end gets a reset. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    void smallReceiveBuffer() throws IOException {
        socket.setReceiveBufferSize(4 << 10);
    }

    /** Sends the text again and again, until the other end has taken none for the given time. */
    void sendWhileItIsTaken(String text, java.time.Duration time) throws IOException {
        java.util.concurrent.atomic.AtomicLong last = new java.util.concurrent.atomic.AtomicLong(System.nanoTime());
        java.util.concurrent.atomic.AtomicBoolean over = new java.util.concurrent.atomic.AtomicBoolean();
        Thread sender = new Thread(() -> {
            try {
                while (!over.get()) {
                    send(text);
                    last.set(System.nanoTime());
                }
            } catch (IOException e) {
                over.set(true);
            }
        });
        sender.setDaemon(true);
        sender.start();
        while (!over.get() && System.nanoTime() - last.get() < time.toNanos()) {
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
        over.set(true);
    }

    /** Reads a request or an answer with its body. */
    Message read() throws IOException {
        return read(false);
    }

    Message read(boolean toHead) throws IOException {
        String first = line();
        List<String> fields = new ArrayList<>();
        for (String field = line(); !field.isEmpty(); field = line()) {
            fields.add(field);
        }
        Message head = new Message(first, fields, "");
        String length = head.field("content-length");
        boolean noBody = toHead || first.contains(" 204 ") || first.contains(" 304 ") || first.contains(" 100 ");
        if (noBody) {
            return head;
        }
        if ("chunked".equals(head.field("transfer-encoding"))) {
            return new Message(first, fields, chunks());
        }
        if (length != null) {
            return new Message(first, fields, exactly(Integer.parseInt(length)));
        }
        return first.startsWith("HTTP/") ? new Message(first, fields, rest()) : head;
    }

    private String chunks() throws IOException {
        StringBuilder all = new StringBuilder();
        for (; ; ) {
            int size = Integer.parseInt(line(), 16);
            if (size == 0) {
                while (!line().isEmpty()) {
                    // a trailer
                }
                return all.toString();
            }
            all.append(exactly(size));
            line();
        }
    }

    String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("closed after '" + line + "'");
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /** Waits for bytes. Returns false if none come in time. */
    boolean hasBytesWithin(long millis) throws IOException {
        long begin = System.nanoTime();
        while (in.available() == 0) {
            if (System.nanoTime() - begin > millis * 1_000_000) {
                return false;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    String exactly(int size) throws IOException {
        byte[] bytes = in.readNBytes(size);
        if (bytes.length < size) {
            throw new EOFException("closed after " + bytes.length + " of " + size + " bytes");
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Reads until the other end closes. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** As {@link #rest}; a reset also ends the bytes, since the other end may close with bytes of this end unread. */
    String restOrReset() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            for (int b = in.read(); b >= 0; b = in.read()) {
                all.write(b);
            }
        } catch (SocketException e) {
            // the reset
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    /** Returns whether the other end has closed, or closes, without another byte. */
    boolean isClosed() {
        try {
            return in.read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** A request or an answer. */
    record Message(String first, List<String> fields, String body) {
        int status() {
            return Integer.parseInt(first.split(" ", -1)[1]);
        }

        String path() {
            return first.split(" ", -1)[1];
        }

        @Nullable
        String field(String name) {
            for (String field : fields) {
                if (field.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":")) {
                    return field.substring(name.length() + 1).strip();
                }
            }
            return null;
        }
    }
}

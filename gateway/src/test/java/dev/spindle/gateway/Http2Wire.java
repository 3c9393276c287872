// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway;

import dev.spindle.gateway.config.Address;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A client of HTTP/2 that sends frame by frame and checks nothing: heads are as a test states them. */
final class Http2Wire implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RESET = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW = 8;
    static final int CONTINUATION = 9;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    static final int ACK = 1;

    private static final int MOST_FRAME = 16 << 10;

    final Wire wire;
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);

    private Http2Wire(Wire wire) {
        this.wire = wire;
    }

    static Http2Wire to(Address address) throws IOException {
        Http2Wire client = new Http2Wire(Wire.to(address));
        client.wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        return client.send(SETTINGS, 0, 0, new byte[0]);
    }

    /** Connects with windows of {@code bytes} for each stream. */
    static Http2Wire withWindow(Address address, int bytes) throws IOException {
        Http2Wire client = new Http2Wire(Wire.to(address));
        client.wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        return client.send(SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, (byte) (bytes >> 8), (byte) bytes});
    }

    /** Widens the window of a stream, or with 0 of the connection. */
    Http2Wire window(int stream, int bytes) throws IOException {
        return send(WINDOW, 0, stream, new byte[] {
            (byte) (bytes >> 24), (byte) (bytes >> 16), (byte) (bytes >> 8), (byte) bytes
        });
    }

    Http2Wire send(int type, int flags, int stream, byte[] payload) throws IOException {
        byte[] frame = new byte[9 + payload.length];
        frame[0] = (byte) (payload.length >> 16);
        frame[1] = (byte) (payload.length >> 8);
        frame[2] = (byte) payload.length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        frame[5] = (byte) (stream >> 24);
        frame[6] = (byte) (stream >> 16);
        frame[7] = (byte) (stream >> 8);
        frame[8] = (byte) stream;
        System.arraycopy(payload, 0, frame, 9, payload.length);
        wire.send(frame);
        return this;
    }

    /** Sends a head, or a trailer: name, value, name, value. */
    Http2Wire head(int stream, boolean last, List<String> fields) throws IOException {
        byte[] block = block(fields);
        int flags = last ? END_STREAM : 0;
        for (int from = 0; ; from += MOST_FRAME) {
            int size = Math.min(MOST_FRAME, block.length - from);
            boolean end = from + size == block.length;
            byte[] part = java.util.Arrays.copyOfRange(block, from, from + size);
            send(from == 0 ? HEADERS : CONTINUATION, (from == 0 ? flags : 0) | (end ? END_HEADERS : 0), stream, part);
            if (end) {
                return this;
            }
        }
    }

    Http2Wire get(int stream, String path) throws IOException {
        return head(stream, true, List.of(":method", "GET", ":scheme", "http", ":path", path, ":authority", "test"));
    }

    /** Frames of one byte each, of a body that does not end. */
    static byte[] singleBytes(int stream, int count) {
        byte[] frames = new byte[10 * count];
        for (int i = 0; i < frames.length; i += 10) {
            frames[i + 2] = 1;
            frames[i + 8] = (byte) stream;
            frames[i + 9] = 'x';
        }
        return frames;
    }

    Http2Wire data(int stream, boolean last, String data) throws IOException {
        return send(DATA, last ? END_STREAM : 0, stream, data.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Literals that are not indexed, without Huffman coding. */
    static byte[] block(List<String> fields) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < fields.size(); i += 2) {
            block.write(0);
            text(block, fields.get(i));
            text(block, fields.get(i + 1));
        }
        return block.toByteArray();
    }

    private static void text(ByteArrayOutputStream block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length < 127) {
            block.write(bytes.length);
        } else {
            block.write(127);
            int rest = bytes.length - 127;
            for (; rest >= 128; rest >>= 7) {
                block.write(128 | (rest & 127));
            }
            block.write(rest);
        }
        block.writeBytes(bytes);
    }

    Frame frame() throws IOException {
        String head = wire.exactly(9);
        String payload = wire.exactly(head.charAt(0) << 16 | head.charAt(1) << 8 | head.charAt(2));
        int stream = head.charAt(5) << 24 | head.charAt(6) << 16 | head.charAt(7) << 8 | head.charAt(8);
        Frame frame = new Frame(head.charAt(3), head.charAt(4), stream, payload);
        if (frame.type == SETTINGS && (frame.flags & ACK) == 0) {
            send(SETTINGS, ACK, 0, new byte[0]);
        }
        return frame;
    }

    /** Reads until a stream has ended, or the connection has. */
    Answer read(int stream) throws IOException, Http2Exception {
        int status = 0;
        StringBuilder body = new StringBuilder();
        try {
            for (; ; ) {
                Frame frame = frame();
                if (frame.type == GOAWAY) {
                    return new Answer(status, body.toString(), true);
                }
                Http2Headers fields = frame.type == HEADERS ? fields(frame) : null;
                if (frame.stream != stream) {
                    continue;
                }
                if (frame.type == RESET) {
                    return new Answer(status, body.toString(), true);
                }
                if (fields != null) {
                    status = Integer.parseInt(String.valueOf(fields.status()));
                } else if (frame.type == DATA) {
                    body.append(frame.payload);
                }
                if ((frame.type == HEADERS || frame.type == DATA) && (frame.flags & END_STREAM) != 0) {
                    return new Answer(status, body.toString(), false);
                }
            }
        } catch (EOFException e) {
            return new Answer(status, body.toString(), true);
        }
    }

    Http2Headers fields(Frame frame) throws Http2Exception {
        return decoder.decodeHeaders(
                frame.stream, Unpooled.wrappedBuffer(frame.payload.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }

    /** A frame as it came. */
    record Frame(int type, int flags, int stream, String payload) {
        /** Returns the increment of a window. */
        int increment() {
            return payload.charAt(0) << 24 | payload.charAt(1) << 16 | payload.charAt(2) << 8 | payload.charAt(3);
        }
    }

    /** The answer on a stream; its status is 0 if none has come. */
    record Answer(int status, String body, boolean reset) {
        /** Returns whether the request was refused: by a status, or by the end of its stream or connection. */
        boolean isRefusedWith(int expected) {
            return status == expected || (status == 0 && reset);
        }
    }
}

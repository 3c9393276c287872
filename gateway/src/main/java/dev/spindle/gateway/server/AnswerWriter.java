// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.loop.Channels;
import dev.spindle.gateway.protocol.HeadBytes;
import dev.spindle.gateway.protocol.HopFields;
import dev.spindle.gateway.protocol.Pieces;
import dev.spindle.gateway.protocol.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The framing of the answers on one connection or stream: whether an answer has a body, how the end of the answer is
 * marked, and whether the connection continues.
 *
 * <p>An answer by HTTP/1.1 is written as bytes, a small body in the buffer of its head; an answer by HTTP/2 as objects.
 *
 * <p>Confined to the event loop. One answer is written at a time: {@link #begin}, then {@link #head}, {@link #piece}
 * and {@link #last}, or {@link #whole} or {@link #own} alone.
 */
final class AnswerWriter {
    /** The number of waiting bytes at which pieces are written. Not measured. */
    private static final int ENOUGH = 8 << 10;

    private final Channel channel;
    /** The bytes of HTTP/1.1; null for a stream, whose answers are objects that the codec of HTTP/2 writes. */
    private final @Nullable WireWriter wire;

    private final BooleanSupplier draining;
    /** True if the request is a HEAD, whose answer has no body. */
    private boolean toHead;
    /** True if the client uses HTTP/1.0, which has no chunks. */
    private boolean http10;
    /** True if this answer is the last of the connection. */
    private boolean closing;
    /** True if pieces are dropped, since the answer has no body. */
    private boolean bodiless;
    /** True if the end of the connection ends the answer. */
    private boolean endedByClosing;

    private final WriteWatch watch;
    /** Pieces that are not written yet. */
    private final Pieces waiting = new Pieces();
    /**
     * The future that completes when the last byte is written or its write fails; null if the answer is not complete.
     */
    private @Nullable ChannelFuture written;

    /**
     * Creates a writer.
     *
     * @param stream true if the channel is an HTTP/2 stream, which needs no framing
     * @param draining a function that returns true while the gateway drains; an answer then ends its connection
     * @param watch the watch that is notified of the written bytes
     */
    AnswerWriter(Channel channel, boolean stream, BooleanSupplier draining, WriteWatch watch) {
        this.channel = channel;
        wire = stream ? null : new WireWriter(channel);
        this.draining = draining;
        this.watch = watch;
    }

    /** Begins the answer to a request. */
    void begin(HttpRequest request) {
        toHead = request.method().equals(HttpMethod.HEAD);
        http10 = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
        closing = !HttpUtil.isKeepAlive(request);
        written = null;
        endedByClosing = false;
    }

    /** Begins the answer to bytes that are not a request. This answer is the last of the connection. */
    void beginWithoutHead() {
        toHead = false;
        http10 = false;
        closing = true;
        written = null;
    }

    /**
     * Makes this answer the last of the connection. Called before the head is written, so that the Connection field
     * announces the close.
     */
    void closes() {
        closing = true;
    }

    /** Returns whether the end of the connection marks the end of the answer. */
    boolean isEndedByClosing() {
        return endedByClosing;
    }

    /** Returns whether this answer is the last of the connection. */
    boolean isClosing() {
        return closing;
    }

    /**
     * Writes a head whose body follows in pieces.
     *
     * @param from the fields of the answer; those of its hop and its length are not written
     * @param length the length of the body in bytes; -1 if it is not known
     */
    void head(int status, HttpHeaders from, long length) {
        bodiless = toHead || status == 204 || status == 205 || status == 304;
        long stated = stated(status, length);
        if (wire == null) {
            HttpHeaders fields = streamFields(from, stated);
            Channels.write(
                    channel, new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), fields));
            return;
        }
        HeadBytes to = wire.begin();
        StatusLines.write(to, status);
        HopFields.writeAnswer(from, to);
        boolean chunked = false;
        if (stated >= 0) {
            to.field(HttpHeaderNames.CONTENT_LENGTH, Long.toString(stated));
        } else if (!bodiless && http10) {
            closing = true;
            endedByClosing = true;
        } else if (!bodiless) {
            to.field(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
            chunked = true;
        }
        closing |= draining.getAsBoolean(); // H6
        if (closing) {
            to.field(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (http10) {
            to.field(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
        wire.endHead(chunked);
    }

    /** Returns the length that a head states; -1 for none. */
    private static long stated(int status, long length) {
        return status == 205 ? 0 : status == 204 ? -1 : length;
    }

    /** Returns the fields of an answer by HTTP/2, which has no field about the connection. */
    private static HttpHeaders streamFields(HttpHeaders from, long stated) {
        HttpHeaders fields = HopFields.ofAnswer(from);
        if (stated >= 0) {
            fields.set(HttpHeaderNames.CONTENT_LENGTH, Long.toString(stated));
        }
        return fields;
    }

    /** Writes the answer that tells a client to send the body that it holds back. */
    void goOn() {
        if (wire == null) {
            Channels.writeAndFlush(
                    channel,
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(100), Unpooled.EMPTY_BUFFER));
        } else {
            HeadBytes to = wire.begin();
            StatusLines.write(to, 100);
            wire.endHead(false);
            wire.flush();
        }
    }

    /** Takes over a piece of the body. Small pieces wait for further pieces until a flush or the end. */
    void piece(ByteBuf piece) {
        if (bodiless) {
            piece.release();
            return;
        }
        waiting.add(piece, channel.alloc());
        if (waiting.bytes() >= ENOUGH) {
            writeWaiting();
        }
    }

    private void writeWaiting() {
        while (!waiting.isEmpty()) {
            write(next());
        }
    }

    private void write(ByteBuf piece) {
        if (wire == null) {
            Channels.write(channel, new DefaultHttpContent(piece));
        } else {
            wire.piece(piece);
        }
    }

    /** Returns the next waiting piece, and counts it as written. */
    private ByteBuf next() {
        ByteBuf piece = waiting.next();
        watch.handed(piece.readableBytes());
        return piece;
    }

    /** Writes and flushes the head and the waiting pieces. */
    void flush() {
        writeWaiting();
        if (wire == null) {
            channel.flush();
        } else {
            wire.flush();
        }
    }

    /** Writes the waiting pieces and the end of the body. */
    void last() {
        if (wire != null) {
            writeWaiting();
            written = wire.finish();
            return;
        }
        ByteBuf piece = waiting.isEmpty() ? Unpooled.EMPTY_BUFFER : next();
        while (!waiting.isEmpty()) {
            write(piece);
            piece = next();
        }
        written = channel.writeAndFlush(new DefaultLastHttpContent(piece, EmptyHttpHeaders.INSTANCE));
    }

    /** Writes a whole answer, whose body is taken over. */
    void whole(int status, HttpHeaders from, ByteBuf body) {
        long length = status == 304 ? -1 : body.readableBytes();
        if (wire != null) {
            head(status, from, length);
            piece(body);
            last();
            return;
        }
        boolean empty = toHead || status == 204 || status == 205 || status == 304;
        if (empty) {
            body.release();
        } else {
            watch.handed(body.readableBytes());
        }
        written = channel.writeAndFlush(new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(status),
                empty ? Unpooled.EMPTY_BUFFER : body,
                streamFields(from, stated(status, length)),
                EmptyHttpHeaders.INSTANCE));
    }

    /** Returns whether the whole answer is written, its write has failed, or no answer was begun. */
    boolean isWritten() {
        return written == null || written.isDone();
    }

    /** Returns whether the answer could not be written. */
    boolean hasFailed() {
        return written != null && written.isDone() && !written.isSuccess();
    }

    /** Writes an answer of the gateway itself, with its status as text. */
    void own(int status) {
        HttpHeaders headers = HopFields.none();
        headers.add(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8");
        if (status == 503) {
            headers.add(HttpHeaderNames.RETRY_AFTER, "1"); // H5
        }
        byte[] text = (HttpResponseStatus.valueOf(status) + "\n").getBytes(StandardCharsets.US_ASCII);
        whole(status, headers, Unpooled.wrappedBuffer(text));
    }

    /** Drops the waiting pieces, since the channel is closed. */
    void release() {
        waiting.release();
        if (wire != null) {
            wire.release();
        }
    }

    /** Runs {@code action} when the answer is written or its write has failed. */
    void whenWritten(Runnable action) {
        ChannelFuture of = written;
        if (of == null) {
            action.run();
        } else {
            of.addListener(done -> action.run());
        }
    }
}

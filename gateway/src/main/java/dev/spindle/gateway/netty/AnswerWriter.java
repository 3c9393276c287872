// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

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
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Frames the answers of one connection: whether they have a body, how its end is told, whether the connection goes on.
 */
final class AnswerWriter {
    /** So many bytes are written without waiting for more. */
    private static final int ENOUGH = 8 << 10;

    private final Channel channel;
    private final boolean stream;
    private final BooleanSupplier draining;
    private boolean toHead;
    private boolean http10;
    private boolean closing;
    private boolean bodiless;
    private boolean endedByClosing;
    private final WriteWatch watch;
    private final Pieces waiting = new Pieces();
    private @Nullable ChannelFuture written;

    AnswerWriter(Channel channel, boolean stream, BooleanSupplier draining, WriteWatch watch) {
        this.channel = channel;
        this.stream = stream;
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

    /** Begins an answer to what is no request. */
    void beginWithoutHead() {
        toHead = false;
        http10 = false;
        closing = true;
        written = null;
    }

    /** Makes this answer the last of the connection, if its head is not written. */
    void closes() {
        closing = true;
    }

    /** Returns whether the client takes the end of the connection for that of the answer. */
    boolean isEndedByClosing() {
        return endedByClosing;
    }

    boolean isClosing() {
        return closing;
    }

    void head(int status, HttpHeaders headers, long length) {
        bodiless = toHead || status == 204 || status == 304;
        if (length >= 0 && status != 204) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, Long.toString(length));
        } else if (!bodiless && !stream) {
            if (http10) {
                closing = true;
                endedByClosing = true;
            } else {
                headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
            }
        }
        sayConnection(headers);
        Channels.write(
                channel, new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), headers));
    }

    private void sayConnection(HttpHeaders headers) {
        if (stream) {
            return;
        }
        closing |= draining.getAsBoolean();
        if (closing) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        } else if (http10) {
            headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
        }
    }

    /** Takes a piece of the body. Small ones wait for others until a flush or the end. */
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
            Channels.write(channel, new DefaultHttpContent(next()));
        }
    }

    private ByteBuf next() {
        ByteBuf piece = waiting.next();
        watch.handed(piece.readableBytes());
        return piece;
    }

    void flush() {
        writeWaiting();
        channel.flush();
    }

    void last() {
        if (waiting.isEmpty()) {
            writeEnd(LastHttpContent.EMPTY_LAST_CONTENT);
            return;
        }
        ByteBuf piece = next();
        while (!waiting.isEmpty()) {
            Channels.write(channel, new DefaultHttpContent(piece));
            piece = next();
        }
        writeEnd(new DefaultLastHttpContent(piece, EmptyHttpHeaders.INSTANCE));
    }

    void whole(int status, HttpHeaders headers, ByteBuf body) {
        boolean empty = toHead || status == 204 || status == 304;
        if (status != 204 && status != 304) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.readableBytes()));
        }
        sayConnection(headers);
        if (empty) {
            body.release();
        } else {
            watch.handed(body.readableBytes());
        }
        writeEnd(new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(status),
                empty ? Unpooled.EMPTY_BUFFER : body,
                headers,
                EmptyHttpHeaders.INSTANCE));
    }

    private void writeEnd(Object message) {
        written = channel.writeAndFlush(message);
    }

    /** Returns whether all of the answer was written, or cannot be. */
    boolean isWritten() {
        return written == null || written.isDone();
    }

    /** Returns whether the answer could not be written. */
    boolean hasFailed() {
        return written != null && written.isDone() && !written.isSuccess();
    }

    /** Writes an answer that says its status and nothing else. */
    void own(int status) {
        HttpHeaders headers = HopFields.none();
        headers.add(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8");
        if (status == 503) {
            headers.add(HttpHeaderNames.RETRY_AFTER, "1");
        }
        byte[] text = (HttpResponseStatus.valueOf(status) + "\n").getBytes(StandardCharsets.US_ASCII);
        whole(status, headers, Unpooled.wrappedBuffer(text));
    }

    /** Drops what waits: the channel is gone. */
    void release() {
        waiting.release();
    }

    /** Runs {@code action} when the answer was written, or could not be. */
    void whenWritten(Runnable action) {
        ChannelFuture of = written;
        if (of == null) {
            action.run();
        } else {
            of.addListener(done -> action.run());
        }
    }
}

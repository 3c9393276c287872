// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decoder of HTTP/1.1 messages that refuses each message which another parser might read differently: bare CR and LF,
 * controls, folded lines, invalid characters in names, extra blanks in a first line, anything but digits in a length or
 * in the size of a chunk, and contradictory lengths.
 *
 * <p>A message is passed on as a head and at least one content, the last of which is a {@link LastHttpContent}. The
 * fields of a head are read-only, and those of a trailer are checked and dropped. A failure is passed on as an object
 * whose decoder result has the {@link Refusal}. Confined to the event loop of its connection.
 */
abstract class StrictDecoder extends ByteToMessageDecoder {
    /*
     * StrictDecoder-1  A message has one length or is chunked, or it has neither. Several fields Content-Length are
     *                  refused even if they are equal. Only an answer that cannot have a body may have both.
     * StrictDecoder-2  After a violation nothing more is decoded. The handler that gets the failure closes the
     *                  connection.
     */
    private enum At {
        HEAD,
        /** In the body of a message with a length. */
        BODY,
        /** In the body of an answer that ends with the connection. */
        BODY_UNTIL_CLOSE,
        CHUNKS,
        /** After a violation. */
        BROKEN
    }

    /** The maximum bytes of a piece of a body. Not measured. */
    private static final int PIECE = 64 << 10;
    /** The maximum digits of a length, which then fits into a long. */
    private static final int DIGITS = 18;

    private final HeadReader head;
    /** The reader of the chunked body; null if there is none. */
    private @Nullable ChunkReader chunks;

    private At at = At.HEAD;
    /** The number of bytes of the body that have not arrived, if the body has a length. */
    private long left;
    /** True if bytes have arrived that have not been consumed. */
    private boolean leftover;

    /**
     * Creates the decoder of one connection.
     *
     * @param requests true for requests, false for answers
     * @param line the maximum bytes of a first line, and of the line in front of a chunk
     * @param head the maximum bytes of all fields of a head, and of all fields of a trailer
     * @param fields the maximum number of fields of a message
     */
    StrictDecoder(boolean requests, int line, int head, int fields) {
        this.head = new HeadReader(requests, line, head, fields);
    }

    /**
     * Returns the message of a complete head.
     *
     * @param head the bytes of the head
     * @param end the index after the first line
     * @throws Refusal if the first line violates a rule
     */
    abstract HttpMessage message(byte[] head, int end, HttpHeaders fields) throws Refusal;

    /** Returns whether a message has no body, regardless of its fields. */
    abstract boolean isBodiless(HttpMessage message);

    /**
     * Returns the object that carries a failure.
     *
     * @param inBody true if the head of the message was passed on
     */
    abstract Object failed(DecoderResult failure, boolean inBody);

    /** Returns whether a head has begun and not ended. */
    final boolean hasPartOfHead() {
        return at == At.HEAD && (leftover || head.hasBegun());
    }

    /** Returns whether all bytes received belong to complete messages. */
    final boolean isBetweenMessages() {
        return at == At.HEAD && !leftover && !head.hasBegun();
    }

    @Override
    protected final void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        try {
            switch (at) {
                case HEAD -> {
                    if (head.read(in)) {
                        message(in, out);
                    }
                }
                case BODY -> body(in, out);
                case BODY_UNTIL_CLOSE -> out.add(new DefaultHttpContent(piece(in, PIECE)));
                case CHUNKS -> chunks(requireNonNull(chunks), in, out);
                case BROKEN -> in.skipBytes(in.readableBytes());
            }
        } catch (Refusal refusal) {
            in.skipBytes(in.readableBytes());
            fail(refusal, out);
        }
        leftover = in.isReadable();
    }

    @Override
    protected final void decodeLast(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        super.decodeLast(ctx, in, out);
        if (at == At.BODY_UNTIL_CLOSE && !in.isReadable()) {
            begin();
            out.add(LastHttpContent.EMPTY_LAST_CONTENT);
        } else if (at == At.HEAD && head.hasFirstLine()) {
            fail(head.refusal("the connection was closed within a head"), out);
        }
    }

    private void fail(Refusal refusal, List<Object> out) {
        boolean inBody = at != At.HEAD;
        begin();
        at = At.BROKEN; // StrictDecoder-2
        out.add(failed(DecoderResult.failure(refusal), inBody));
    }

    /** Begins a message: the next byte is the first of a head. */
    private void begin() {
        at = At.HEAD;
        head.begin();
        chunks = null;
    }

    // ---------------------------------------------------------------- heads

    /** Passes on the message of a complete head, and determines where its body ends. */
    private void message(ByteBuf in, List<Object> out) throws Refusal {
        byte[] bytes = head.take(in);
        WireFields fields = head.fields(bytes);
        HttpMessage message = message(bytes, head.firstLineEnd(), fields);
        long length = length(fields);
        boolean isChunked = fields.contains(HttpHeaderNames.TRANSFER_ENCODING);
        if (isBodiless(message)) {
            pass(message, At.HEAD, out);
            return;
        }
        if (isChunked) {
            if (length >= 0 || !message.protocolVersion().equals(HttpVersion.HTTP_1_1)) { // StrictDecoder-1
                throw head.refusal("lengths that contradict each other");
            }
            checkCoding(fields);
            chunks = head.chunks();
            pass(message, At.CHUNKS, out);
        } else if (length == 0 || (length < 0 && head.requests)) { // a request states where it ends
            pass(message, At.HEAD, out);
        } else {
            left = length;
            pass(message, length < 0 ? At.BODY_UNTIL_CLOSE : At.BODY, out);
        }
    }

    /** Passes on a message, and its end if it has no body. */
    private void pass(HttpMessage message, At next, List<Object> out) {
        head.begin();
        at = next;
        out.add(message);
        if (next == At.HEAD) {
            out.add(LastHttpContent.EMPTY_LAST_CONTENT);
        }
    }

    /** Returns the value of Content-Length; -1 if there is no such field. */
    private long length(WireFields fields) throws Refusal {
        int field = fields.indexOf(HttpHeaderNames.CONTENT_LENGTH, 0);
        if (field < 0) {
            return -1;
        }
        if (fields.indexOf(HttpHeaderNames.CONTENT_LENGTH, field + 1) > 0) { // StrictDecoder-1
            throw head.refusal("more than one length");
        }
        AsciiString value = fields.value(field);
        if (value.isEmpty() || value.length() > DIGITS) {
            throw head.refusal("a length that is empty or too large");
        }
        long length = 0;
        for (int i = 0; i < value.length(); i++) {
            int digit = value.byteAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw head.refusal("a length that is no plain number");
            }
            length = 10 * length + digit;
        }
        return length;
    }

    /** Checks that a body has no coding except {@code chunked}, once. */
    private void checkCoding(WireFields fields) throws Refusal {
        int field = fields.indexOf(HttpHeaderNames.TRANSFER_ENCODING, 0);
        boolean isSeveral = fields.indexOf(HttpHeaderNames.TRANSFER_ENCODING, field + 1) > 0;
        if (isSeveral || !fields.value(field).contentEqualsIgnoreCase(HttpHeaderValues.CHUNKED)) { // H2
            throw head.refusal("a transfer coding other than chunked");
        }
    }

    // ---------------------------------------------------------------- bodies

    private static ByteBuf piece(ByteBuf in, long most) {
        return in.readRetainedSlice((int) Math.min(Math.min(in.readableBytes(), PIECE), most));
    }

    private void body(ByteBuf in, List<Object> out) {
        ByteBuf piece = piece(in, left);
        left -= piece.readableBytes();
        if (left > 0) {
            out.add(new DefaultHttpContent(piece));
        } else {
            begin();
            out.add(new DefaultLastHttpContent(piece, EmptyHttpHeaders.INSTANCE));
        }
    }

    private void chunks(ChunkReader reader, ByteBuf in, List<Object> out) throws Refusal {
        if (reader.left() > 0) {
            ByteBuf piece = piece(in, reader.left());
            reader.take(piece.readableBytes());
            out.add(new DefaultHttpContent(piece));
        } else if (reader.read(in)) {
            begin();
            out.add(LastHttpContent.EMPTY_LAST_CONTENT);
        }
    }
}

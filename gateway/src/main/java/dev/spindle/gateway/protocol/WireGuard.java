// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A check of the bytes that a decoder of HTTP/1.1 consumed. The guard refuses forms that the decoder tolerates: bare CR
 * and LF, controls, folded lines, invalid characters in names, extra blanks in a request line, anything but digits in
 * the size of a chunk, and contradictory lengths.
 */
final class WireGuard {
    /*
     * Confined to the event loop of its connection.
     *
     * WireGuard-1  The guard reads each byte that the decoder consumes, once and in order, after the call of decode()
     *              that consumed the byte. After a violation, the objects that this call has decoded are discarded
     *              before any handler gets them.
     * WireGuard-2  A call of decode() that completes a head consumes no byte after this head, except the first bytes of
     *              a chunked body. So all bytes after a head without chunks belong to the body, and are not checked
     *              until the last content was decoded.
     * WireGuard-3  After a violation nothing more is decoded. The handler that gets the failure closes the connection.
     * WireGuard-4  A decoded head must have as many fields as its text has lines with fields. The decoder drops a field
     *              if two fields state different lengths: the second Content-Length in HTTP/1.0, and a Content-Length
     *              next to Transfer-Encoding.
     *
     * The decoder itself refuses lines without a colon, request lines without three parts, lengths and sizes that are
     * empty or too large, and bytes after a chunk. The guard does not check these.
     */
    private enum At {
        /** Before a head; empty lines are skipped. */
        BLANK,
        FIRST_LINE,
        NAME,
        VALUE,
        /** The body of a message that is not chunked. */
        BODY,
        CHUNK_SIZE,
        CHUNK_EXTENSION,
        CHUNK_DATA,
        CHUNK_END
    }

    /** The bytes being checked, copied to an array of each thread, since an array is read faster than a buffer. */
    private static final FastThreadLocal<byte[]> BYTES = new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
            return new byte[WINDOW];
        }
    };

    /** The number of bytes that are checked together. Not measured. */
    private static final int WINDOW = 1 << 10;

    /**
     * True if requests are decoded; the first line of a request has stricter rules than the first line of an answer.
     */
    private final boolean requests;

    private final int mostFields;
    /** The part of the message to which the next byte belongs. */
    private At at = At.BLANK;
    /** True if the last byte was a CR, after which only an LF may follow. */
    private boolean afterCr;

    private boolean atLineStart = true;
    /** True if the fields are those after the last chunk. */
    private boolean trailer;
    /** The number of blanks in the request line so far. */
    private int blanks;
    /** The number of lines of fields so far. */
    private int fields;
    /**
     * While the size of a chunk is being read, the size so far; afterwards, the number of bytes of the chunk that have
     * not arrived.
     */
    private long chunk;

    private boolean broken;

    /**
     * Creates the guard of one connection.
     *
     * @param mostFields the maximum number of fields of a head
     */
    WireGuard(boolean requests, int mostFields) {
        this.requests = requests;
        this.mostFields = mostFields;
    }

    /** Returns whether a violation was found. */
    boolean isBroken() {
        return broken;
    }

    /** Returns whether a head has begun and not ended. */
    boolean isInHead() {
        return at == At.FIRST_LINE || ((at == At.NAME || at == At.VALUE) && !trailer);
    }

    /**
     * Checks the bytes that one call of the decoder consumed.
     *
     * @param in the bytes; those from {@code start} to its reader index were consumed
     * @param out the decoded objects; after a violation, the objects from {@code before} on are replaced by a failure
     * @param framed true if a head must state where its body ends
     * @param failed a function that makes the object that carries a failure
     */
    void consumed(ByteBuf in, int start, List<Object> out, int before, boolean framed, Failed failed) {
        HttpMessage head = null;
        boolean last = false;
        for (int i = before; i < out.size(); i++) {
            Object decoded = out.get(i);
            if (decoded instanceof HttpObject object && object.decoderResult().isFailure()) {
                broken = true; // the decoder itself found the violation
                return;
            }
            head = decoded instanceof HttpMessage message ? message : head;
            last |= decoded instanceof LastHttpContent;
        }
        Refusal refusal = at == At.BODY ? null : look(in, start, in.readerIndex(), head, framed);
        if (refusal != null) {
            broken = true;
            in.skipBytes(in.readableBytes());
            while (out.size() > before) { // WireGuard-1
                ReferenceCountUtil.release(out.remove(out.size() - 1));
            }
            out.add(failed.with(DecoderResult.failure(refusal)));
        } else if (last) {
            begin(); // WireGuard-2
        }
    }

    /** Makes an object of the decoder's kind that carries a failed result. */
    interface Failed {
        Object with(DecoderResult failure);
    }

    /** Begins a message: the next byte is the first of a head. */
    private void begin() {
        at = At.BLANK;
        afterCr = false;
        atLineStart = true;
        trailer = false;
        blanks = 0;
        fields = 0;
    }

    /**
     * Checks the bytes up to {@code to}, or up to the end of a head without chunks. Returns a refusal for a violation,
     * or null.
     */
    private @Nullable Refusal look(ByteBuf in, int from, int to, @Nullable HttpMessage head, boolean framed) {
        int i = from;
        while (i < to && at != At.BODY) {
            if (at == At.CHUNK_DATA) {
                int skipped = (int) Math.min(chunk, to - i);
                chunk -= skipped;
                i += skipped;
                at = chunk == 0 ? At.CHUNK_END : at;
                continue;
            }
            byte[] bytes = BYTES.get();
            int most = Math.min(bytes.length, to - i);
            in.getBytes(i, bytes, 0, most);
            int looked = 0;
            while (looked < most && at != At.BODY && at != At.CHUNK_DATA) {
                looked = skipPlain(bytes, looked, most);
                String wrong = looked < most ? look(bytes[looked++]) : null;
                if (wrong != null) {
                    return refusal(wrong);
                }
            }
            i += looked;
            if (at == At.BODY && head != null) {
                if (framed && head.headers().size() != fields) { // WireGuard-4
                    return refusal("lengths that contradict each other");
                }
                if (HttpUtil.isTransferEncodingChunked(head)) {
                    at = At.CHUNK_SIZE;
                    chunk = 0;
                }
            }
        }
        return null;
    }

    private Refusal refusal(String wrong) {
        return new Refusal(fields > mostFields ? 431 : requests ? 400 : 502, wrong);
    }

    /** Returns the index of the next byte that is not plain. */
    private int skipPlain(byte[] bytes, int from, int to) {
        int plain = afterCr ? 0 : plain();
        int i = from;
        while (i < to && HeadRules.isPlain(bytes[i], plain)) {
            i++;
        }
        atLineStart &= i == from;
        return i;
    }

    private int plain() {
        return switch (at) {
            case FIRST_LINE -> HeadRules.IN_FIRST_LINE;
            case NAME -> HeadRules.IN_NAME;
            case VALUE, CHUNK_EXTENSION -> HeadRules.IN_VALUE;
            default -> 0;
        };
    }

    /** Checks a byte that is not plain. Returns a description of a violation, or null. */
    private @Nullable String look(byte b) {
        if (afterCr) {
            afterCr = false;
            return b == '\n' ? endLine() : "a CR without LF";
        }
        if (b == '\n') {
            return "an LF without CR"; // H2
        }
        if (b == '\r') {
            afterCr = true;
            return null;
        }
        return switch (at) {
            case BLANK -> firstByte(b);
            case FIRST_LINE -> inFirstLine(b);
            case NAME -> inName(b);
            case CHUNK_SIZE -> inSize(b);
            default -> "a control character";
        };
    }

    private @Nullable String firstByte(byte b) {
        at = At.FIRST_LINE;
        return b <= ' ' ? "a blank in front of a first line" : null;
    }

    private @Nullable String inFirstLine(byte b) {
        if (!requests) {
            return HeadRules.isControl(b) ? "a control character" : null;
        }
        if (b == ' ') {
            return ++blanks > 2 ? "a blank too many in a request line" : null;
        }
        return "a character in a request line that must be encoded";
    }

    private @Nullable String inName(byte b) {
        if (b != ':') {
            return "a folded line, or a character that belongs in no name";
        }
        at = At.VALUE;
        return atLineStart ? "a field without a name" : null;
    }

    private @Nullable String inSize(byte b) {
        int digit = Character.digit(b, 16);
        if (b == ';') {
            at = At.CHUNK_EXTENSION;
        } else if (digit < 0) {
            return "a size of a chunk that is no plain number";
        } else {
            chunk = chunk << 4 | digit;
        }
        return null;
    }

    /** Moves to the part that follows the line. Returns a description of a violation, or null. */
    private @Nullable String endLine() {
        atLineStart = true;
        return switch (at) {
            case BLANK, BODY, CHUNK_DATA -> null;
            case FIRST_LINE -> {
                at = At.NAME;
                yield null;
            }
            case NAME -> {
                at = At.BODY; // also after a trailer; the caller of look() then calls begin()
                yield null;
            }
            case VALUE -> {
                at = At.NAME;
                yield ++fields > mostFields ? "more than " + mostFields + " fields" : null; // H4
            }
            case CHUNK_SIZE, CHUNK_EXTENSION -> {
                trailer = chunk == 0;
                at = trailer ? At.NAME : At.CHUNK_DATA;
                yield null;
            }
            case CHUNK_END -> {
                at = At.CHUNK_SIZE;
                chunk = 0;
                yield null;
            }
        };
    }
}

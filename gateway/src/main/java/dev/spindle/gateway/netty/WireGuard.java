// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

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
 * Watches the bytes that a decoder of HTTP/1.1 consumes, and finds what the decoder forgives: bare CR and LF, NUL,
 * folded lines, blanks in names and before the colon, blanks where none belongs in a request line, and all but digits
 * in the size of a chunk.
 */
final class WireGuard {
    /*
     * Confined to the event loop of its connection.
     *
     * WireGuard-1  Each byte that the decoder consumes is seen once, in order, after the call of decode() that consumed
     *              it and before what that call decoded goes on: what is found makes the decoded objects void.
     * WireGuard-2  The decoder ends a call with the head it decoded, but for the first bytes of a chunked body. So
     *              after a head without chunks the next bytes are body, and are not looked at until the last content
     *              was decoded.
     * WireGuard-3  After a violation nothing more is decoded: the connection is closed by whoever gets the failure.
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

    private static final int LONGEST_SIZE = 15;

    private static final int IN_FIRST_LINE = 1;
    private static final int IN_NAME = 2;
    private static final int IN_VALUE = 4;
    /** For each byte where it is plain: it neither is wrong there nor ends anything. */
    private static final byte[] PLAIN = plainBytes();
    /** For the bytes of one thread: in an array they are read faster than in a buffer. */
    private static final FastThreadLocal<byte[]> BYTES = new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
            return new byte[WINDOW];
        }
    };

    private static final int WINDOW = 1 << 10;

    private final boolean requests;
    private final int mostFields;
    private At at = At.BLANK;
    private boolean afterCr;
    private boolean atLineStart = true;
    private boolean trailer;
    private int blanks;
    private byte previous;
    private int fields;
    private int digits;
    private long chunk;
    private boolean broken;

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
     * Takes note of what one call of the decoder did.
     *
     * @param in the bytes; those from {@code start} to its reader index were consumed
     * @param out what was decoded, from {@code before} on; replaced by a failure if there is one
     * @param failed makes the object that carries a failure
     */
    void consumed(ByteBuf in, int start, List<Object> out, int before, Failed failed) {
        HttpMessage head = null;
        boolean last = false;
        for (int i = before; i < out.size(); i++) {
            Object decoded = out.get(i);
            if (decoded instanceof HttpObject object && object.decoderResult().isFailure()) {
                broken = true; // the decoder found it by itself
                return;
            }
            head = decoded instanceof HttpMessage message ? message : head;
            last |= decoded instanceof LastHttpContent;
        }
        Refusal refusal = at == At.BODY ? null : look(in, start, in.readerIndex(), head);
        if (refusal != null) {
            broken = true;
            in.skipBytes(in.readableBytes());
            while (out.size() > before) {
                ReferenceCountUtil.release(out.remove(out.size() - 1));
            }
            out.add(failed.with(DecoderResult.failure(refusal)));
        } else if (last) {
            begin();
        }
    }

    /** Makes an object of the decoder's kind that says that decoding failed. */
    interface Failed {
        Object with(DecoderResult failure);
    }

    private void begin() {
        at = At.BLANK;
        afterCr = false;
        atLineStart = true;
        trailer = false;
        blanks = 0;
        previous = 0;
        fields = 0;
    }

    private @Nullable Refusal look(ByteBuf in, int from, int to, @Nullable HttpMessage head) {
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
                    return new Refusal(fields > mostFields ? 431 : requests ? 400 : 502, wrong);
                }
            }
            i += looked;
            if (at == At.BODY && head != null && HttpUtil.isTransferEncodingChunked(head)) {
                at = At.CHUNK_SIZE;
                digits = 0;
                chunk = 0;
            }
        }
        return null;
    }

    /** Returns where the next byte is that may be wrong, or the end of something. */
    private int skipPlain(byte[] bytes, int from, int to) {
        int plain = afterCr ? 0 : plain();
        int i = from;
        while (i < to && (PLAIN[bytes[i] & 0xff] & plain) != 0) {
            i++;
        }
        if (i > from) {
            atLineStart = false;
            previous = bytes[i - 1];
        }
        return i;
    }

    private int plain() {
        return switch (at) {
            case FIRST_LINE -> IN_FIRST_LINE;
            case NAME -> IN_NAME;
            case VALUE, CHUNK_EXTENSION -> IN_VALUE;
            default -> 0;
        };
    }

    private @Nullable String look(byte b) {
        if (b == 0) {
            return "a NUL";
        }
        if (afterCr) {
            afterCr = false;
            return b == '\n' ? endLine() : "a CR without LF";
        }
        if (b == '\n') {
            return "an LF without CR";
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
            case CHUNK_END -> "bytes behind a chunk";
            default -> {
                atLineStart = false;
                yield isControl(b) ? "a control character" : null;
            }
        };
    }

    private @Nullable String firstByte(byte b) {
        at = At.FIRST_LINE;
        return b <= ' ' ? "a blank in front of a first line" : inFirstLine(b);
    }

    private @Nullable String inFirstLine(byte b) {
        boolean blankBefore = previous == ' ';
        previous = b;
        if (!requests) {
            return isControl(b) ? "a control character" : null;
        }
        if (b == ' ') {
            return blankBefore || ++blanks > 2 ? "a blank too many in a request line" : null;
        }
        return b < ' ' || b == 127 ? "a character in a request line that must be encoded" : null;
    }

    private @Nullable String inName(byte b) {
        if (b == ' ' || b == '\t') {
            return atLineStart ? "a folded line" : "a blank in the name of a field";
        }
        if (b == ':') {
            at = At.VALUE;
            return atLineStart ? "a field without a name" : null;
        }
        atLineStart = false;
        return null;
    }

    private @Nullable String inSize(byte b) {
        if (b == ';' && digits > 0) {
            at = At.CHUNK_EXTENSION;
            return null;
        }
        int digit = Character.digit(b, 16);
        if (digit < 0 || ++digits > LONGEST_SIZE) {
            return "a size of a chunk that is no plain number";
        }
        chunk = chunk << 4 | digit;
        return null;
    }

    private static byte[] plainBytes() {
        byte[] plain = new byte[256];
        for (int b = 0; b < plain.length; b++) {
            boolean visible = b > ' ' && b < 127;
            plain[b] = (byte) ((visible ? IN_FIRST_LINE : 0)
                    | (visible && b != ':' ? IN_NAME : 0)
                    | (isControl((byte) b) ? 0 : IN_VALUE));
        }
        return plain;
    }

    private static boolean isControl(byte b) {
        return (b >= 0 && b < ' ' && b != '\t') || b == 127;
    }

    private @Nullable String endLine() {
        boolean empty = atLineStart;
        atLineStart = true;
        return switch (at) {
            case BLANK, BODY, CHUNK_DATA -> null;
            case FIRST_LINE -> {
                at = At.NAME;
                yield requests && blanks != 2 ? "a request line without its three parts" : null;
            }
            case NAME -> {
                at = At.BODY; // after a trailer, begin() follows
                yield empty ? null : "a line of a head without a colon";
            }
            case VALUE -> {
                at = At.NAME;
                yield ++fields > mostFields ? "more than " + mostFields + " fields" : null;
            }
            case CHUNK_SIZE -> {
                endSize();
                yield digits == 0 ? "a chunk without a size" : null;
            }
            case CHUNK_EXTENSION -> {
                endSize();
                yield null;
            }
            case CHUNK_END -> {
                at = At.CHUNK_SIZE;
                digits = 0;
                chunk = 0;
                yield null;
            }
        };
    }

    private void endSize() {
        trailer = chunk == 0;
        at = trailer ? At.NAME : At.CHUNK_DATA;
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.buffer.ByteBuf;

/**
 * A reader that examines the lines around the chunks of a body of HTTP/1.1, and its trailer, whose fields are dropped.
 *
 * <p>Confined to the event loop of its connection. There is one reader for each chunked body.
 */
final class ChunkReader extends LineReader {
    private enum At {
        SIZE,
        EXTENSION,
        /** In a chunk, whose bytes are not examined. */
        DATA,
        /** Behind a chunk. */
        END,
        TRAILER_NAME,
        TRAILER_VALUE,
        /** After the last line of the trailer. */
        COMPLETE
    }

    private final int mostLine;
    private final int mostTrailer;

    private At at = At.SIZE;
    /** The number of bytes of the line so far; while a byte is examined, its index in the line. */
    private int line;
    /** The size of the chunk so far; in the chunk, the number of its bytes that have not been taken. */
    private long left;
    /** The part of the extensions of the chunk. */
    private ChunkExtension extension = ChunkExtension.NAME;
    /** The number of fields of the message so far. */
    private int fields;
    /** The number of bytes of the fields of the trailer so far. The ends of lines do not count. */
    private int trailerBytes;

    /**
     * Creates the reader of one body.
     *
     * @param line the maximum bytes of the line in front of a chunk
     * @param trailer the maximum bytes of all fields of the trailer
     * @param mostFields the maximum number of fields of head and trailer
     * @param fields the number of fields of the head
     */
    ChunkReader(boolean requests, int line, int trailer, int mostFields, int fields) {
        super(requests, mostFields);
        mostLine = line;
        mostTrailer = trailer;
        this.fields = fields;
    }

    /** Returns the number of bytes of the chunk that have not been taken; 0 outside of a chunk. */
    long left() {
        return at == At.DATA ? left : 0;
    }

    /** Takes bytes of the chunk. */
    void take(int bytes) {
        left -= bytes;
        if (left == 0) {
            at = At.END;
        }
    }

    /**
     * Consumes the lines that have arrived, up to the next chunk or the end of the trailer.
     *
     * @return whether the body is complete
     * @throws Refusal if a byte is not permitted, or a line is too long
     */
    boolean read(ByteBuf in) throws Refusal {
        byte[] window = window();
        while (in.isReadable() && at != At.DATA && at != At.COMPLETE) {
            int most = Math.min(window.length, in.readableBytes());
            in.getBytes(in.readerIndex(), window, 0, most);
            int lineStart = -line;
            int i = 0;
            while (i < most && at != At.DATA && at != At.COMPLETE) {
                i = skipPlain(window, i, most);
                line = i - lineStart;
                if (i < most && endsLine(window[i++])) {
                    endLine(line - 1);
                    lineStart = i;
                }
            }
            line = i - lineStart;
            checkSize(line - partOfEnd());
            in.skipBytes(i);
        }
        return at == At.COMPLETE;
    }

    @Override
    int plain() {
        return switch (at) {
            case TRAILER_NAME -> HeadRules.IN_NAME;
            case TRAILER_VALUE -> HeadRules.IN_VALUE;
            default -> 0;
        };
    }

    @Override
    void examine(byte b) throws Refusal {
        switch (at) {
            case SIZE -> inSize(b);
            case EXTENSION -> inExtension(b);
            case TRAILER_NAME -> {
                examineColon(b, line);
                at = At.TRAILER_VALUE;
            }
            case TRAILER_VALUE -> throw refusal("a control character");
            default -> throw refusal("bytes after a chunk");
        }
    }

    private void inSize(byte b) throws Refusal {
        if (b == ';') {
            if (line == 0) {
                throw refusal("a chunk without a size");
            }
            at = At.EXTENSION;
            extension = ChunkExtension.NAME;
            return;
        }
        int digit = b < 0 ? -1 : Character.digit(b, 16);
        if (digit < 0) {
            throw refusal("a size of a chunk that is no plain number");
        }
        left = left << 4 | digit;
        if (left > Integer.MAX_VALUE) {
            throw refusal("a chunk that is too large");
        }
    }

    private void inExtension(byte b) throws Refusal {
        ChunkExtension after = extension.after(b);
        if (after == null) {
            throw refusal("an extension of a chunk that is malformed");
        }
        extension = after;
    }

    /** Ends a line of {@code size} bytes. */
    private void endLine(int size) throws Refusal {
        checkSize(size);
        switch (at) {
            case SIZE, EXTENSION -> {
                if (size == 0) {
                    throw refusal("a chunk without a size");
                }
                if (at == At.EXTENSION && !extension.mayEnd) {
                    throw refusal("an extension of a chunk that does not end");
                }
                at = left == 0 ? At.TRAILER_NAME : At.DATA;
            }
            case END -> at = At.SIZE;
            case TRAILER_VALUE -> {
                trailerBytes += size;
                checkFields(++fields);
                at = At.TRAILER_NAME;
            }
            default -> {
                if (size > 0) {
                    throw refusal("a line without a colon");
                }
                at = At.COMPLETE;
            }
        }
    }

    /** Checks the number of bytes of a line, or of the trailer up to this line. */
    private void checkSize(int size) throws Refusal {
        if (at == At.TRAILER_NAME || at == At.TRAILER_VALUE) {
            if (trailerBytes + size > mostTrailer) {
                throw new Refusal(431, "a trailer that is too long"); // H4
            }
        } else if (size > mostLine) {
            throw refusal("a line in front of a chunk that is too long"); // H4
        }
    }
}

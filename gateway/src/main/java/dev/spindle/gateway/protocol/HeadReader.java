// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * A reader that examines the bytes of a head of HTTP/1.1, and remembers where its lines and fields are.
 *
 * <p>Confined to the event loop of its connection.
 */
final class HeadReader extends LineReader {
    /*
     * HeadReader-1  The bytes of a head stay in the buffer until the head is complete; `examined` of them have been
     *               examined. So each byte is examined once, and a head is checked and located in one pass, however its
     *               bytes are cut into pieces. Empty lines in front of a head are consumed.
     */
    private enum At {
        /** Before a head. */
        BLANK,
        FIRST_LINE,
        NAME,
        VALUE
    }

    /** The number of fields for which there is room at first. Not measured. */
    private static final int USUAL_FIELDS = 8;

    private static final int[] NO_MARKS = {};

    private final int mostLine;
    private final int mostHead;

    private At at = At.BLANK;
    /** The number of bytes of the head that have been examined; while a byte is examined, its index. */
    private int examined;
    /** The index of the first byte of the line. */
    private int line;
    /** The index after the first line. */
    private int firstLineEnd;
    /** The number of blanks in the first line of the request so far. */
    private int blanks;
    /** The indices of the name, of the colon and after the value of each field. */
    private int[] marks = NO_MARKS;
    /** The number of fields so far. */
    private int fields;
    /** The number of bytes of the fields so far. The ends of lines do not count. */
    private int fieldBytes;
    /** The lengths of the names so far, as in {@link WireFields#bit}. */
    private long lengths;

    /**
     * Creates the reader of one connection.
     *
     * @param line the maximum bytes of a first line
     * @param head the maximum bytes of all fields
     * @param fields the maximum number of fields
     */
    HeadReader(boolean requests, int line, int head, int fields) {
        super(requests, fields);
        mostLine = line;
        mostHead = head;
    }

    /** Begins a head: the next byte is its first. */
    void begin() {
        at = At.BLANK;
        examined = 0;
        line = 0;
        blanks = 0;
        marks = NO_MARKS;
        fields = 0; // HeadReader-1
        fieldBytes = 0;
        lengths = 0;
    }

    /** Returns whether the first byte of a head has been examined. */
    boolean hasBegun() {
        return at != At.BLANK;
    }

    /** Returns whether the first line of a head is complete. */
    boolean hasFirstLine() {
        return at == At.NAME || at == At.VALUE;
    }

    /** Returns the index after the first line. */
    int firstLineEnd() {
        return firstLineEnd;
    }

    /** Consumes the bytes of a complete head. */
    byte[] take(ByteBuf in) {
        byte[] head = new byte[examined];
        in.readBytes(head);
        return head;
    }

    /** Returns a reader of the chunks behind the head, with the limits of this reader. */
    ChunkReader chunks() {
        return new ChunkReader(requests, mostLine, mostHead, mostFields, fields);
    }

    /** Returns the fields of a head that was taken. */
    WireFields fields(byte[] head) {
        return new WireFields(head, marks, fields, lengths);
    }

    /**
     * Examines the bytes that have arrived, up to the end of the head.
     *
     * @return whether the head is complete
     * @throws Refusal if a byte is not permitted, or the head is too large
     */
    boolean read(ByteBuf in) throws Refusal {
        skipEmptyLines(in);
        byte[] window = window();
        while (at != At.BLANK && in.readableBytes() > examined) {
            int start = examined;
            int most = Math.min(window.length, in.readableBytes() - start);
            in.getBytes(in.readerIndex() + start, window, 0, most);
            int i = skipPlain(window, 0, most);
            while (i < most) {
                examined = start + i;
                if (endsLine(window[i]) && endLine()) {
                    examined++;
                    return true;
                }
                i = skipPlain(window, i + 1, most);
            }
            examined = start + most; // HeadReader-1
            checkSizes(examined - line - partOfEnd());
        }
        return false;
    }

    /** Skips the empty lines in front of a head, and begins the head if its first byte has arrived. */
    private void skipEmptyLines(ByteBuf in) throws Refusal {
        while (at == At.BLANK && in.isReadable()) {
            int index = in.readerIndex();
            byte first = in.getByte(index);
            if (first == '\n') {
                throw refusal("an LF without CR");
            }
            if (first != '\r') {
                if (first <= ' ') {
                    throw refusal("a blank in front of a first line");
                }
                at = At.FIRST_LINE;
            } else if (in.readableBytes() == 1) {
                return;
            } else if (in.getByte(index + 1) == '\n') {
                in.skipBytes(2);
            } else {
                throw refusal("a CR without LF");
            }
        }
    }

    @Override
    int plain() {
        return switch (at) {
            case FIRST_LINE -> requests ? HeadRules.IN_FIRST_LINE : HeadRules.IN_VALUE;
            case NAME -> HeadRules.IN_NAME;
            default -> HeadRules.IN_VALUE;
        };
    }

    @Override
    void examine(byte b) throws Refusal {
        if (at == At.NAME) {
            endName(b);
        } else if (at == At.VALUE || !requests) {
            throw refusal("a control character");
        } else if (b != ' ') {
            throw refusal("a character in a request line that must be encoded");
        } else if (++blanks > 2) {
            throw refusal("a blank too many in a request line");
        }
    }

    private void endName(byte b) throws Refusal {
        int length = examined - line;
        examineColon(b, length);
        lengths |= WireFields.bit(length);
        int mark = WireFields.MARKS * fields;
        if (mark == marks.length) {
            marks = Arrays.copyOf(marks, Math.max(WireFields.MARKS * USUAL_FIELDS, 2 * mark));
        }
        marks[mark] = line;
        marks[mark + 1] = examined;
        at = At.VALUE;
    }

    /**
     * Ends a line, whose last byte is being examined.
     *
     * @return whether the head is complete
     */
    private boolean endLine() throws Refusal {
        int end = examined - 1;
        checkSizes(end - line);
        if (at == At.NAME) {
            if (end > line) {
                throw refusal("a line without a colon");
            }
            return true;
        }
        if (at == At.FIRST_LINE) {
            firstLineEnd = end;
        } else {
            marks[WireFields.MARKS * fields + 2] = end;
            fieldBytes += end - line;
            checkFields(++fields);
        }
        at = At.NAME;
        line = examined + 1;
        return false;
    }

    /**
     * Checks the sizes so far.
     *
     * @param bytes the number of bytes of the line
     */
    private void checkSizes(int bytes) throws Refusal {
        if (at == At.FIRST_LINE) {
            if (bytes > mostLine) {
                throw new Refusal(414, "a first line that is too long"); // H4
            }
        } else if (fieldBytes + bytes > mostHead) {
            throw new Refusal(431, "a head that is too long"); // H4
        }
    }
}

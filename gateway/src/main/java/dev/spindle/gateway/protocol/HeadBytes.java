// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import java.util.Arrays;

/**
 * The bytes of a head that is being written. An array is written faster than a buffer, which checks its bounds and its
 * references at each write. Not thread-safe.
 */
public final class HeadBytes {
    /** A number of bytes in which most heads fit. Not measured. */
    private static final int FIRST = 512;

    private byte[] bytes = new byte[FIRST];
    private int size;

    /** Removes all bytes. */
    void clear() {
        size = 0;
    }

    /** Returns the number of bytes. */
    public int size() {
        return size;
    }

    /** Appends all bytes to a buffer. */
    public void writeTo(ByteBuf to) {
        to.writeBytes(bytes, 0, size);
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }

    /** Appends a byte. */
    public HeadBytes add(char character) {
        ensure(1);
        bytes[size++] = (byte) character;
        return this;
    }

    /** Appends bytes. */
    public HeadBytes add(byte[] more) {
        ensure(more.length);
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
        return this;
    }

    /** Appends the bytes of another head. */
    public HeadBytes add(HeadBytes other) {
        ensure(other.size);
        System.arraycopy(other.bytes, 0, bytes, size, other.size);
        size += other.size;
        return this;
    }

    /** Appends characters, each as one byte. A character above 255 becomes a question mark. */
    public HeadBytes add(CharSequence text) {
        ensure(text.length());
        put(text);
        return this;
    }

    /** Appends a field, whose name and value must have been validated. */
    public HeadBytes field(CharSequence name, CharSequence value) {
        ensure(name.length() + value.length() + 4);
        put(name);
        bytes[size++] = ':';
        bytes[size++] = ' ';
        put(value);
        return endLine();
    }

    /** Ends a line, or the head. */
    public HeadBytes endLine() {
        ensure(2);
        bytes[size++] = '\r';
        bytes[size++] = '\n';
        return this;
    }

    /** Appends characters for which there is room. */
    private void put(CharSequence text) {
        int length = text.length();
        if (text instanceof AsciiString ascii) {
            System.arraycopy(ascii.array(), ascii.arrayOffset(), bytes, size, length);
        } else {
            for (int i = 0; i < length; i++) {
                char c = text.charAt(i);
                bytes[size + i] = (byte) (c > 255 ? '?' : c); // H2
            }
        }
        size += length;
    }
}

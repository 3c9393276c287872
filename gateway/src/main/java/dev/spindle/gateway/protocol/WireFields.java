// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a head that was decoded, as views of the bytes of the head. Most fields of a proxied message are only
 * copied to the next hop, so no object is made for a field until it is asked for.
 *
 * <p>Immutable: a method that would change a field throws {@link UnsupportedOperationException}.
 */
final class WireFields extends HttpHeaders {
    /** The number of indices of a field. */
    static final int MARKS = 3;

    private final byte[] head;
    /** The indices of each field: of the first byte of its name, of its colon, and after its value. */
    private final int[] marks;

    private final int size;
    /** The lengths of all names, by which most names that are looked for are found to be missing. */
    private final long lengths;

    /**
     * Creates the fields. The arrays must not be changed afterwards.
     *
     * @param head the bytes of the head
     * @param marks for each field the indices of the first byte of its name, of its colon, and after its value
     * @param size the number of fields
     * @param lengths the {@link #bit}s of the lengths of all names
     */
    WireFields(byte[] head, int[] marks, int size, long lengths) {
        this.head = head;
        this.marks = marks;
        this.size = size;
        this.lengths = lengths;
    }

    // ---------------------------------------------------------------- fields by index

    /** Returns the index of the first field of a name, not counting those before {@code from}; -1 if there is none. */
    int indexOf(CharSequence name, int from) {
        boolean mayExist = (lengths & bit(name.length())) != 0;
        for (int field = from; mayExist && field < size; field++) {
            if (isNamed(field, name)) {
                return field;
            }
        }
        return -1;
    }

    /** Returns the bit for the length of a name, which some other lengths have too. */
    static long bit(int length) {
        return 1L << (length % Long.SIZE);
    }

    /** Returns whether a field has a name, regardless of case. */
    private boolean isNamed(int field, CharSequence name) {
        int start = marks[MARKS * field];
        int length = marks[MARKS * field + 1] - start;
        if (length != name.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (lowerCase(head[start + i]) != lowerCase(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static int lowerCase(int c) {
        return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    }

    AsciiString name(int field) {
        int start = marks[MARKS * field];
        return new AsciiString(head, start, marks[MARKS * field + 1] - start, false);
    }

    /** Returns a value without the blanks around it. */
    AsciiString value(int field) {
        int start = valueStart(field);
        return new AsciiString(head, start, valueEnd(field, start) - start, false);
    }

    private String text(int field) {
        int start = valueStart(field);
        return new String(head, start, valueEnd(field, start) - start, StandardCharsets.ISO_8859_1);
    }

    private int valueStart(int field) {
        int start = marks[MARKS * field + 1] + 1;
        int end = marks[MARKS * field + 2];
        while (start < end && HeadRules.isBlank(head[start])) {
            start++;
        }
        return start;
    }

    private int valueEnd(int field, int start) {
        int end = marks[MARKS * field + 2];
        while (start < end && HeadRules.isBlank(head[end - 1])) {
            end--;
        }
        return end;
    }

    // ---------------------------------------------------------------- reading

    @Override
    public @Nullable String get(CharSequence name) {
        int field = indexOf(name, 0);
        return field < 0 ? null : text(field);
    }

    @Override
    public @Nullable String get(String name) {
        return get((CharSequence) name);
    }

    @Override
    public List<String> getAll(CharSequence name) {
        int field = indexOf(name, 0);
        if (field < 0) {
            return List.of();
        }
        List<String> values = new ArrayList<>(2);
        for (; field >= 0; field = indexOf(name, field + 1)) {
            values.add(text(field));
        }
        return values;
    }

    @Override
    public List<String> getAll(String name) {
        return getAll((CharSequence) name);
    }

    @Override
    public boolean contains(CharSequence name) {
        return indexOf(name, 0) >= 0;
    }

    @Override
    public boolean contains(String name) {
        return indexOf(name, 0) >= 0;
    }

    @Override
    public boolean containsValue(CharSequence name, CharSequence value, boolean ignoreCase) {
        for (int field = indexOf(name, 0); field >= 0; field = indexOf(name, field + 1)) {
            AsciiString found = value(field);
            if (AsciiString.contains(found, ",")) {
                return super.containsValue(name, value, ignoreCase);
            }
            if (ignoreCase ? found.contentEqualsIgnoreCase(value) : found.contentEquals(value)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean isEmpty() {
        return size == 0;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Iterator<Map.Entry<CharSequence, CharSequence>> iteratorCharSequence() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public Map.Entry<CharSequence, CharSequence> next() {
                if (next == size) {
                    throw new NoSuchElementException();
                }
                int field = next++;
                return Map.entry(name(field), value(field));
            }
        };
    }

    @Override
    public List<Map.Entry<String, String>> entries() {
        List<Map.Entry<String, String>> entries = new ArrayList<>(size);
        for (int field = 0; field < size; field++) {
            entries.add(Map.entry(name(field).toString(), text(field)));
        }
        return entries;
    }

    /** @deprecated as in the superclass; loops and copies use it */
    @Override
    @Deprecated
    public Iterator<Map.Entry<String, String>> iterator() {
        List<Map.Entry<String, String>> entries = entries();
        return entries.iterator();
    }

    @Override
    public HttpHeaders copy() {
        return HopFields.none().add(this);
    }

    @Override
    public Set<String> names() {
        return copy().names();
    }

    @Override
    public @Nullable Integer getInt(CharSequence name) {
        return copy().getInt(name);
    }

    @Override
    public int getInt(CharSequence name, int otherwise) {
        return copy().getInt(name, otherwise);
    }

    @Override
    public @Nullable Short getShort(CharSequence name) {
        return copy().getShort(name);
    }

    @Override
    public short getShort(CharSequence name, short otherwise) {
        return copy().getShort(name, otherwise);
    }

    @Override
    public @Nullable Long getTimeMillis(CharSequence name) {
        return copy().getTimeMillis(name);
    }

    @Override
    public long getTimeMillis(CharSequence name, long otherwise) {
        return copy().getTimeMillis(name, otherwise);
    }

    // ---------------------------------------------------------------- changes, none of which is supported

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("the fields of a decoded head cannot be changed; copy() can");
    }

    @Override
    public HttpHeaders add(String name, Object value) {
        throw unsupported();
    }

    @Override
    public HttpHeaders add(String name, Iterable<?> values) {
        throw unsupported();
    }

    @Override
    public HttpHeaders addInt(CharSequence name, int value) {
        throw unsupported();
    }

    @Override
    public HttpHeaders addShort(CharSequence name, short value) {
        throw unsupported();
    }

    @Override
    public HttpHeaders set(String name, Object value) {
        throw unsupported();
    }

    @Override
    public HttpHeaders set(String name, Iterable<?> values) {
        throw unsupported();
    }

    @Override
    public HttpHeaders setInt(CharSequence name, int value) {
        throw unsupported();
    }

    @Override
    public HttpHeaders setShort(CharSequence name, short value) {
        throw unsupported();
    }

    @Override
    public HttpHeaders remove(String name) {
        throw unsupported();
    }

    @Override
    public HttpHeaders clear() {
        throw unsupported();
    }
}

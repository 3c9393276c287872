// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import dev.spindle.gateway.config.Limits;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import io.netty.util.AsciiString;
import java.util.Map;
import java.util.Objects;

/**
 * The rules for the characters and the size of heads.
 *
 * <p>For HTTP/1.1, {@link LineReader} applies the rules to the bytes that arrive. For HTTP/2, an object of this class
 * checks the decoded heads of one stream, on the event loop of the connection.
 */
final class HeadRules {
    /** The part of a head that is its first line. */
    static final int IN_FIRST_LINE = 1;
    /** The part of a head that is the name of a field. */
    static final int IN_NAME = 2;
    /** The part of a head that is the value of a field. */
    static final int IN_VALUE = 4;

    /** The visible characters that are not permitted in the name of a field. */
    private static final String NO_NAME = "\"(),/:;<=>?@[\\]{}";

    /** For each byte, the parts in which it is plain: neither invalid nor the end of the part. */
    private static final byte[] PLAIN = plainBytes();

    /**
     * The number of characters in a first line of HTTP/1.1 besides method and target; added for HTTP/2, so that the
     * same limit applies.
     */
    private static final int AROUND_TARGET = " ".length() + " HTTP/1.1".length();
    /** The number of characters between the name and the value of a field of HTTP/1.1. */
    private static final int AROUND_VALUE = ": ".length();

    private static final int HOST = "host".length();
    private static final AsciiString COOKIE = AsciiString.cached("cookie");
    private static final AsciiString CONNECT = AsciiString.cached("CONNECT");

    private final Limits limits;
    private int fields;
    private int bytes;
    private boolean hasCookie;

    /** Creates the rules for one request, whose head and trailer share the limits. */
    HeadRules(Limits limits) {
        this.limits = limits;
    }

    private static byte[] plainBytes() {
        byte[] plain = new byte[256];
        for (int b = 0; b < plain.length; b++) {
            boolean visible = b > ' ' && b < 127;
            plain[b] = (byte) ((visible ? IN_FIRST_LINE : 0)
                    | (visible && NO_NAME.indexOf(b) < 0 ? IN_NAME : 0)
                    | (isControl((byte) b) ? 0 : IN_VALUE));
        }
        return plain;
    }

    /** Returns whether a byte is a control character other than the tab. */
    static boolean isControl(byte b) {
        return (b >= 0 && b < ' ' && b != '\t') || b == 127;
    }

    /** Returns whether a character is one of the blanks that may surround a value. */
    static boolean isBlank(int c) {
        return c == ' ' || c == '\t';
    }

    /** Returns whether a byte is plain in a part of a head. */
    static boolean isPlain(byte b, int in) {
        return (PLAIN[b & 0xff] & in) != 0;
    }

    private static boolean isPlain(CharSequence text, int in) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 255 || (PLAIN[c] & in) == 0) {
                return false;
            }
        }
        return true;
    }

    // ---------------------------------------------------------------- HTTP/2

    /**
     * Checks the head of a request.
     *
     * @throws Refusal if the head violates a rule
     */
    void checkHead(Http2Headers head) throws Refusal {
        checkFields(head);
        CharSequence method = head.method();
        boolean connects = CONNECT.contentEquals(Objects.requireNonNullElse(method, ""));
        CharSequence target = connects ? head.authority() : head.path();
        if (method == null || target == null || (head.scheme() == null && !connects)) {
            throw new Refusal(400, "a request without method, path or scheme");
        }
        if (method.length() + target.length() + AROUND_TARGET > limits.line()) {
            throw new Refusal(414, "a first line that is too long");
        }
        if (method.length() == 0 || !isPlain(method, IN_NAME)) {
            throw new Refusal(400, "a method that is no token");
        }
        if (!isPlain(target, IN_FIRST_LINE)) { // H8
            throw new Refusal(400, "a character in the path or the query that must be encoded");
        }
        if (!connects && (target.length() == 0 || target.charAt(0) != '/')) {
            throw new Refusal(400, "a path that does not begin with a slash");
        }
    }

    /**
     * Checks the fields of a head, or of a trailer, for their characters and their number.
     *
     * @throws Refusal if the head violates a rule
     */
    void checkFields(Http2Headers head) throws Refusal {
        for (Map.Entry<CharSequence, CharSequence> field : head) {
            CharSequence name = field.getKey();
            CharSequence value = field.getValue();
            if (PseudoHeaderName.hasPseudoHeaderFormat(name)) {
                if (PseudoHeaderName.AUTHORITY.value().contentEquals(name)) {
                    count(HOST, value, true);
                }
                continue;
            }
            if (!isPlain(name, IN_NAME)) {
                throw new Refusal(400, "a character that belongs in no name");
            }
            boolean goesOn = COOKIE.contentEquals(name) && hasCookie; // later Cookie fields are joined to the first
            hasCookie |= COOKIE.contentEquals(name);
            count(goesOn ? 0 : name.length(), value, !goesOn);
        }
    }

    /**
     * Counts a field as HTTP/1.1 would write it.
     *
     * @param another true if the field adds to the number of fields
     */
    private void count(int name, CharSequence value, boolean another) throws Refusal {
        if (!isPlain(value, IN_VALUE)) {
            throw new Refusal(400, "a control character");
        }
        if (value.length() > 0 && (isBlank(value.charAt(0)) || isBlank(value.charAt(value.length() - 1)))) {
            throw new Refusal(400, "a blank around a value");
        }
        fields += another ? 1 : 0;
        if (fields > limits.fields()) {
            throw new Refusal(431, "more than " + limits.fields() + " fields");
        }
        bytes += name + AROUND_VALUE + value.length();
        if (bytes > limits.head()) {
            throw new Refusal(431, "a head that is too long");
        }
    }
}

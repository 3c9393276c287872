// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

/**
 * The normal form of paths, which selects the route and is sent to backends. Stateless.
 *
 * <p>A path that a lenient backend could read as a different path is refused: dot segments in any coding, even with
 * parameters ({@code ..;x}); backslashes; coded slashes, controls, and per cent signs that hide a dot segment; empty
 * segments.
 */
final class PathRules {
    private static final String HEX = "0123456789ABCDEF";
    /**
     * The number of times that a segment is decoded to find a slash or a dot segment. A segment coded more often is
     * refused. Not measured.
     */
    private static final int DEEPEST_CODING = 4;

    private PathRules() {}

    /**
     * Returns the path with coded letters, digits and {@code -._~} decoded, and the hex digits of all other codings in
     * upper case.
     *
     * @throws Refusal if no backend may get this path
     */
    static String normalise(String path) throws Refusal {
        if (path.isEmpty() || path.charAt(0) != '/') {
            throw new Refusal(400, "a path that does not begin with a slash");
        }
        boolean simple = true; // most paths are simple and are returned unchanged
        for (int i = 1; i < path.length() && simple; i++) {
            char c = path.charAt(i);
            simple = c != '%'
                    && c != '.'
                    && c != '\\'
                    && c != ';'
                    && c != '#'
                    && c > ' '
                    && c < 127
                    && !(c == '/' && path.charAt(i - 1) == '/');
        }
        return simple ? path : decoded(path);
    }

    /** Decodes each coding once, and refuses characters that no path may have. */
    private static String decoded(String path) throws Refusal {
        StringBuilder out = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '\\' || c == '#' || c <= ' ' || c >= 127) {
                throw new Refusal(400, "a character in the path that must be encoded");
            }
            if (c != '%') {
                out.append(c);
                continue;
            }
            int code = code(path, i);
            i += 2;
            if (code < ' ' || code == 127 || code == '/' || code == '\\') {
                throw new Refusal(400, "a coded slash, backslash or control character in the path");
            }
            if (code < 127 && (Character.isLetterOrDigit(code) || "-._~".indexOf(code) >= 0)) {
                out.append((char) code);
            } else {
                out.append('%').append(HEX.charAt(code >> 4)).append(HEX.charAt(code & 15));
            }
        }
        checkSegments(out);
        return out.toString();
    }

    /** Returns the byte that the coding at {@code at} stands for. */
    private static int code(String path, int at) throws Refusal {
        int high = at + 2 < path.length() ? Character.digit(path.charAt(at + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(path.charAt(at + 2), 16);
        if (low < 0) {
            throw new Refusal(400, "a per cent sign in the path without two hex digits");
        }
        return high << 4 | low;
    }

    private static void checkSegments(CharSequence path) throws Refusal {
        int start = 1;
        for (int i = 1; i <= path.length(); i++) {
            if (i == path.length() || path.charAt(i) == '/') {
                checkSegment(path.subSequence(start, i).toString(), i == path.length());
                start = i + 1;
            }
        }
    }

    /**
     * Refuses a dot segment, even if coded several times, a slash that is coded twice, a deeper coding than
     * {@code DEEPEST_CODING}, and an empty segment except the last.
     */
    private static void checkSegment(String segment, boolean last) throws Refusal {
        if (segment.isEmpty() && !last) {
            throw new Refusal(400, "an empty segment in the path");
        }
        String plain = segment;
        for (int depth = 0; plain.indexOf('%') >= 0; depth++) {
            String once = decodeOnce(plain);
            if (once.equals(plain)) {
                break;
            }
            plain = once;
            if (depth == DEEPEST_CODING || plain.indexOf('/') >= 0 || plain.indexOf('\\') >= 0) {
                throw new Refusal(400, "a slash in the path that is coded twice");
            }
        }
        int parameters = plain.indexOf(';'); // H3
        String name = (parameters < 0 ? plain : plain.substring(0, parameters)).strip();
        if (name.equals(".") || name.equals("..")) {
            throw new Refusal(400, "a dot segment in the path");
        }
    }

    /** Decodes each complete coding, and keeps all other characters. */
    private static String decodeOnce(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int high = c == '%' && i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(text.charAt(i + 2), 16);
            if (low < 0) {
                out.append(c);
            } else {
                out.append((char) (high << 4 | low));
                i += 2;
            }
        }
        return out.toString();
    }
}

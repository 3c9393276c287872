// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The selection of the fields of a head that are forwarded to the next hop. Stateless, so any thread may call any
 * method.
 */
public final class HopFields {
    /**
     * Fields that are never forwarded: hop-by-hop fields, the length, and the fields that Netty adds to messages from
     * HTTP/2.
     */
    private static final String[] ENDING = {
        "connection",
        "keep-alive",
        "proxy-connection",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "http2-settings",
        "content-length",
        "x-http2-stream-id",
        "x-http2-scheme",
        "x-http2-path",
        "x-http2-stream-weight",
        "x-http2-stream-dependency-id",
        "x-http2-stream-promise-id"
    };
    /** Fields that the gateway itself writes, because backends trust them. A client's values are dropped. */
    private static final String[] OURS = {
        "host", "expect", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "grpc-timeout"
    };

    /** Fields that describe a body. */
    private static final String[] BODY = {
        "content-type",
        "content-encoding",
        "content-language",
        "content-location",
        "content-md5",
        "content-range",
        "content-digest",
        "repr-digest",
        "digest"
    };

    /** An exclusive upper bound of the length of the listed names. */
    private static final int LONGEST_NAME = 40;

    private static final CharSequence[][] ANSWER = byLength(ENDING);
    private static final CharSequence[][] OF_A_BODY = byLength(BODY);
    private static final CharSequence[][] REQUEST = byLength(ENDING, OURS);

    /** Creates fields without validation, since the decoder has validated the fields of a message. */
    private static final HttpHeadersFactory FACTORY =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    private HopFields() {}

    /** Returns an empty head to add fields to. */
    public static HttpHeaders none() {
        return FACTORY.newHeaders();
    }

    /**
     * Writes the forwarded fields of a request, without the fields that the gateway itself writes.
     *
     * @param deadlineHeader the configured field, which the gateway itself writes
     * @param withType true if the body is the client's, so that the fields that describe the body are forwarded
     */
    public static void writeRequest(HttpHeaders from, CharSequence deadlineHeader, boolean withType, HeadBytes to) {
        Set<String> named = named(from);
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = from.iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            CharSequence name = field.getKey();
            if (goesOn(name, REQUEST, named) && !isSame(deadlineHeader, name) && (withType || !isOf(OF_A_BODY, name))) {
                to.field(name, field.getValue());
            }
        }
    }

    /** Writes the fields of an answer that are forwarded to the client. */
    public static void writeAnswer(HttpHeaders from, HeadBytes to) {
        Set<String> named = named(from);
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = from.iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            if (goesOn(field.getKey(), ANSWER, named)) {
                to.field(field.getKey(), field.getValue());
            }
        }
    }

    /** Returns the fields of an answer that are forwarded to the client. */
    public static HttpHeaders ofAnswer(HttpHeaders from) {
        HttpHeaders to = none();
        Set<String> named = named(from);
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = from.iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            if (goesOn(field.getKey(), ANSWER, named)) {
                to.add(field.getKey(), field.getValue());
            }
        }
        return to;
    }

    private static boolean goesOn(CharSequence name, CharSequence[][] ending, Set<String> named) {
        return !isOf(ending, name)
                && (named.isEmpty() || !named.contains(name.toString().toLowerCase(Locale.ROOT)));
    }

    /** Returns the names in {@code Connection}, in lower case. Fields with these names are not forwarded. */
    private static Set<String> named(HttpHeaders from) {
        if (!from.contains(HttpHeaderNames.CONNECTION)) {
            return Set.of();
        }
        List<String> values = from.getAll(HttpHeaderNames.CONNECTION);
        if (values.size() == 1
                && (values.get(0).equalsIgnoreCase("keep-alive")
                        || values.get(0).equalsIgnoreCase("close"))) {
            return Set.of();
        }
        Set<String> names = new HashSet<>();
        for (String value : values) {
            for (String name : value.split(",", -1)) {
                names.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    /** Returns whether {@code name} is one of {@code names}, which are sorted by length. */
    private static boolean isOf(CharSequence[][] names, CharSequence name) {
        int length = name.length();
        if (length < names.length) {
            for (CharSequence candidate : names[length]) {
                if (isSame(candidate, name)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns whether a backend that turns names into variables may mistake a name for {@code known}. Such a backend
     * ignores case, and may treat any character that is neither letter nor digit as a hyphen.
     */
    static boolean isSame(CharSequence known, CharSequence name) {
        if (known.length() != name.length()) {
            return false;
        }
        for (int i = 0; i < known.length(); i++) {
            if (folded(known.charAt(i)) != folded(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static char folded(char c) {
        if (c >= 'A' && c <= 'Z') {
            return (char) (c + ('a' - 'A'));
        }
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-'; // H3
    }

    /** Groups names by length, so that most fields of a head are compared with only two or three names. */
    private static CharSequence[][] byLength(String[]... groups) {
        List<List<CharSequence>> all = new ArrayList<>();
        for (int length = 0; length < LONGEST_NAME; length++) {
            all.add(new ArrayList<>(2));
        }
        for (String[] group : groups) {
            for (String name : group) {
                all.get(name.length()).add(AsciiString.of(name));
            }
        }
        return all.stream().map(names -> names.toArray(CharSequence[]::new)).toArray(CharSequence[][]::new);
    }
}

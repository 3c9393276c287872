// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import dev.spindle.Activity;
import dev.spindle.internal.LaneName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The texts of the names that users give. Names of keys, strands and handlers can be hidden: a hash with a salt of this
 * object then stands for the name, so that equal names stay equal on the page. Names of spaces and executors stay.
 */
final class Names {
    /** The maximum number of characters of a name. Not measured. */
    private static final int MOST = 256;

    /**
     * The number of bytes of a hash: two of a million names have equal hashes once in two thousand salts. Not measured.
     */
    private static final int HASH = 7;

    private static final String STRAND = "strand ";

    private final byte @Nullable [] salt;

    /** Creates the texts; {@code hidden} is true if names are hidden. */
    Names(boolean hidden) {
        salt = hidden ? new byte[32] : null;
        if (salt != null) {
            new SecureRandom().nextBytes(salt);
        }
    }

    boolean areHidden() {
        return salt != null;
    }

    /** Returns the kind of {@code lane}: {@code "key"} or {@code "strand"}. */
    static String kind(LaneName lane) {
        return lane.spaceName() == null ? "strand" : "key";
    }

    /** Returns the text of the key of {@code lane}, or the name of a strand. */
    String of(LaneName lane) {
        String text = text(lane.key());
        String space = lane.spaceName();
        boolean prefixed = space == null && text.startsWith(STRAND);
        return shown(space, prefixed ? text.substring(STRAND.length()) : text);
    }

    /** Returns the text of a party of a wait, without its space. */
    String of(Activity party) {
        Object key = party.key();
        if (key != null) {
            return shown(party.space(), text(key));
        }
        String owner = owner(party);
        boolean ofUser = party.kind() == Activity.Kind.HANDLER || party.thread() != null;
        return ofUser ? shown(null, owner) : cut(owner);
    }

    private static String owner(Activity party) {
        try {
            return party.owner();
        } catch (Throwable t) {
            return threw(party, t);
        }
    }

    /** Returns the name of a thread, or, if names are hidden, the hash of the name, which may hold a key. */
    String ofThread(String name) {
        return "thread " + shown(null, name);
    }

    /** Returns the text of {@code key}, which is not hidden. Calls {@code toString}, which is user code. */
    static String text(Object key) {
        try {
            String text = key.toString();
            return text == null ? "(toString of " + key.getClass().getName() + " returned null)" : cut(text);
        } catch (Throwable t) {
            return threw(key, t);
        }
    }

    private static String threw(Object key, Throwable t) {
        return "(toString of " + key.getClass().getName() + " threw "
                + t.getClass().getName() + ")";
    }

    private static String cut(String text) {
        if (text.length() <= MOST) {
            return text;
        }
        int end = MOST / 2;
        int begin = text.length() - MOST / 2 + 1;
        return text.substring(0, end) + '\u2026' + text.substring(begin);
    }

    private String shown(@Nullable String space, String text) {
        if (salt == null) {
            return cut(text);
        }
        MessageDigest digest = sha256();
        digest.update(salt);
        digest.update((space == null ? "" : space).getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        byte[] hash = digest.digest(text.getBytes(StandardCharsets.UTF_8));
        return "#" + HexFormat.of().formatHex(hash, 0, HASH);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}

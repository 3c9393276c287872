// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.protocol;

import org.jspecify.annotations.Nullable;

/**
 * A part of the extensions of a chunk: names, each with a token or a quoted text as its value. Nothing uses extensions,
 * but parsers that disagree on their end read another body.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-7.1.1">RFC 9112, section 7.1.1</a>
 */
enum ChunkExtension {
    NAME(true),
    /** Before the first character of a value. */
    VALUE(false),
    TOKEN(true),
    QUOTED(false),
    /** After a backslash in a quoted text. */
    ESCAPED(false),
    /** After a quoted text. */
    QUOTED_END(true);

    /** True if the line may end in this part. */
    final boolean mayEnd;

    ChunkExtension(boolean mayEnd) {
        this.mayEnd = mayEnd;
    }

    /** Returns the part after a byte, or null if the byte is not permitted here. */
    @Nullable
    ChunkExtension after(byte b) {
        boolean isBlank = HeadRules.isBlank(b);
        boolean inToken = HeadRules.isPlain(b, HeadRules.IN_NAME);
        boolean inText = b >= 0 && HeadRules.isPlain(b, HeadRules.IN_VALUE);
        return switch (this) {
            case NAME -> b == '=' ? VALUE : inToken || isBlank || b == ';' ? NAME : null;
            case VALUE -> b == '"' ? QUOTED : inToken ? TOKEN : isBlank ? VALUE : null;
            case TOKEN -> b == ';' ? NAME : inToken ? TOKEN : null;
            case QUOTED -> b == '"' ? QUOTED_END : b == '\\' ? ESCAPED : inText ? QUOTED : null;
            case ESCAPED -> inText ? QUOTED : null;
            case QUOTED_END -> b == ';' ? NAME : isBlank ? QUOTED_END : null;
        };
    }
}

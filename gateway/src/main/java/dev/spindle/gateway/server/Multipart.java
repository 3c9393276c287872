// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.flow.Gathered;
import dev.spindle.flow.Outcome;
import dev.spindle.flow.UnmetException;
import dev.spindle.gateway.backend.BackendAnswer;
import dev.spindle.gateway.backend.FailedAnswer;
import dev.spindle.gateway.protocol.FailureText;
import dev.spindle.gateway.protocol.HopFields;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer of type {@code multipart/mixed}, made of the answers of several backends. The answer has a part for each
 * backend, in the order of the route. A part states the name of its backend and the status, or the reason for a missing
 * answer.
 *
 * <p>This object owns the answers, and releases the answers that it copies. This object is used once, on the event loop
 * of the request.
 */
final class Multipart {
    /*
     * The form of a part, whose lines end with CR LF:
     *
     *   --spindle-NONCE
     *   Spindle-Backend: NAME
     *   Spindle-Status: STATUS
     *   Content-Type, Content-Encoding of the answer, or Spindle-Reason
     *
     *   body
     *
     * The last delimiter is followed by two hyphens. The nonce is new for each answer.
     */
    private static final byte[] DELIMITER = bytes("--spindle-");
    private static final AsciiString TYPE = AsciiString.cached("multipart/mixed; boundary=");
    private static final byte[] REASON = bytes("\r\nSpindle-Reason: ");
    private static final byte[] CONTENT_TYPE = bytes("\r\nContent-Type: ");
    private static final byte[] CONTENT_ENCODING = bytes("\r\nContent-Encoding: ");
    private static final byte[] BODY = bytes("\r\n\r\n");
    private static final byte[] END_OF_PART = bytes("\r\n");
    private static final byte[] END = bytes("--\r\n");
    /** The maximum bytes of a body that is copied, since one buffer is written faster than many. */
    private static final int COPIED = 4 << 10;

    private final ByteBufAllocator allocator;
    /** The nonce, created after all answers have arrived, so that no backend can include the nonce in an answer. */
    private final byte[] delimiter = Nonces.append(DELIMITER);

    /** The answer so far; null while all bodies have been copied. */
    private @Nullable CompositeByteBuf all;
    /** The buffer to which parts are appended. After the construction, the buffer has the whole answer. */
    private ByteBuf current;
    /**
     * The status if too few backends answered: 504 if a backend took too long, 503 if all failed calls were rejected,
     * otherwise 502.
     */
    private int failedStatus = 503;

    /**
     * Makes the answer.
     *
     * @param beginnings the beginnings of the parts, one for each outcome; see {@link #beginning}
     */
    Multipart(ByteBufAllocator allocator, List<byte[]> beginnings, Gathered gathered) {
        this.allocator = allocator;
        int expected = 64;
        for (Outcome<?> outcome : gathered.outcomes()) {
            expected += 160 + Math.min(COPIED, size(outcome));
        }
        current = allocator.buffer(expected);
        for (int i = 0; i < beginnings.size(); i++) {
            add(beginnings.get(i), gathered.outcomes().get(i));
        }
        current.writeBytes(delimiter).writeBytes(END);
        if (all != null) {
            current = all.addComponent(true, current);
        }
    }

    /** Returns the number of bytes of an answer's body. */
    private static int size(Outcome<?> outcome) {
        return outcome instanceof Outcome.Value<?> value
                ? ((BackendAnswer) value.value()).body().readableBytes()
                : 0;
    }

    /** Returns the bytes with which the part of a backend begins, from the delimiter to its status. */
    static byte[] beginning(String backend) {
        return bytes("\r\nSpindle-Backend: " + backend + "\r\nSpindle-Status: ");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Appends a part. */
    private void add(byte[] beginning, Outcome<?> outcome) {
        current.writeBytes(delimiter).writeBytes(beginning);
        BackendAnswer answer = answer(outcome);
        if (answer != null) {
            status(answer.status());
            field(CONTENT_TYPE, answer.headers().get(HttpHeaderNames.CONTENT_TYPE));
            field(CONTENT_ENCODING, answer.headers().get(HttpHeaderNames.CONTENT_ENCODING));
            current.writeBytes(BODY);
            body(answer.body());
        } else {
            status(status(outcome));
            field(REASON, reason(outcome));
            current.writeBytes(BODY);
        }
        current.writeBytes(END_OF_PART);
        if (!(outcome instanceof Outcome.Value<?>)) {
            int status = status(outcome);
            failedStatus = status == 504 || failedStatus == 504 ? 504 : status == 503 ? failedStatus : 502;
        }
    }

    /** Returns the answer of a backend, even if it reports a failure; null if there is none. */
    private static @Nullable BackendAnswer answer(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Value<?> value) {
            return (BackendAnswer) value.value();
        }
        return outcome instanceof Outcome.Failed<?> failed && failed.cause() instanceof FailedAnswer said
                ? said.answer()
                : null;
    }

    private void status(int status) {
        current.writeByte('0' + status / 100).writeByte('0' + status / 10 % 10).writeByte('0' + status % 10);
    }

    private void field(byte[] beginning, @Nullable String value) {
        if (value != null) {
            current.writeBytes(beginning);
            current.writeCharSequence(value, StandardCharsets.ISO_8859_1);
        }
    }

    /** Appends a copy of a small body, or the buffer of a large body. */
    private void body(ByteBuf body) {
        if (body.readableBytes() <= COPIED) {
            current.writeBytes(body);
            body.release();
            return;
        }
        CompositeByteBuf to = all;
        if (to == null) {
            to = allocator.compositeBuffer(64);
            all = to;
        }
        to.addComponent(true, current).addComponent(true, body);
        current = allocator.buffer(256);
    }

    /** Returns the whole answer, which belongs to the caller. */
    ByteBuf body() {
        return current;
    }

    /** Returns the fields of the whole answer. */
    HttpHeaders headers() {
        return HopFields.none()
                .add(
                        HttpHeaderNames.CONTENT_TYPE,
                        TYPE.concat(new AsciiString(delimiter, 2, delimiter.length - 2, false)));
    }

    /** Returns the status for too few answers. */
    int failedStatus() {
        return failedStatus;
    }

    // ---------------------------------------------------------------- outcomes

    /** Returns the status for an outcome without an answer. */
    static int status(Outcome<?> outcome) {
        if (outcome instanceof Outcome.TimedOut<?>) {
            return 504;
        }
        return outcome instanceof Outcome.Failed<?> ? 502 : 503;
    }

    /** Returns the reason for an outcome without an answer, on one line. */
    static String reason(Outcome<?> outcome) {
        String reason;
        if (outcome instanceof Outcome.Failed<?> failed) {
            reason = FailureText.of(failed.cause());
        } else if (outcome instanceof Outcome.TimedOut<?> late) {
            reason = late.reason();
        } else if (outcome instanceof Outcome.Rejected<?> rejected) {
            reason = rejected.reason();
        } else {
            reason = "not needed any more";
        }
        StringBuilder line = new StringBuilder(reason.length());
        reason.chars().limit(300).forEach(c -> line.append(c < ' ' || c > '~' ? ' ' : (char) c));
        return line.toString();
    }

    /** Returns the outcomes of the calls, even if too few calls succeeded; null if {@code outcome} contains none. */
    static @Nullable Gathered gathered(Outcome<Gathered> outcome) {
        if (outcome instanceof Outcome.Value<Gathered> value) {
            return value.value();
        }
        return outcome instanceof Outcome.Failed<Gathered> failed && failed.cause() instanceof UnmetException unmet
                ? unmet.gathered()
                : null;
    }

    /** Releases all answers in an outcome that is not used. */
    static void release(Outcome<Gathered> outcome) {
        Gathered gathered = gathered(outcome);
        if (gathered != null) {
            for (Outcome<?> one : gathered.outcomes()) {
                if (one instanceof Outcome.Value<?> value) {
                    ((BackendAnswer) value.value()).release();
                }
            }
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.flow.Gathered;
import dev.spindle.flow.Outcome;
import dev.spindle.flow.UnmetException;
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
 * Makes one answer of several, {@code multipart/mixed}: a part for each backend, in their order, with its name and
 * status, and the reason where it gave no answer. Takes over the answers, and releases those that it copies.
 */
final class Multipart {
    private static final byte[] DELIMITER = bytes("--spindle-");
    private static final AsciiString TYPE = AsciiString.cached("multipart/mixed; boundary=");
    private static final byte[] REASON = bytes("\r\nSpindle-Reason: ");
    private static final byte[] CONTENT_TYPE = bytes("\r\nContent-Type: ");
    private static final byte[] CONTENT_ENCODING = bytes("\r\nContent-Encoding: ");
    private static final byte[] BODY = bytes("\r\n\r\n");
    private static final byte[] END_OF_PART = bytes("\r\n");
    private static final byte[] END = bytes("--\r\n");
    /** Bodies up to this many bytes are copied: one buffer is written faster than many. */
    private static final int COPIED = 4 << 10;

    private final ByteBufAllocator allocator;
    /** Made when the answers are there, so none of them holds it by intent, and by chance none will. */
    private final byte[] delimiter = Nonces.append(DELIMITER);

    private @Nullable CompositeByteBuf all;
    private ByteBuf current;
    private int failedStatus = 503;

    Multipart(ByteBufAllocator allocator, List<Backend> backends, Gathered gathered) {
        this.allocator = allocator;
        int expected = 64;
        for (Outcome<?> outcome : gathered.outcomes()) {
            expected += 160 + Math.min(COPIED, size(outcome));
        }
        current = allocator.buffer(expected);
        for (int i = 0; i < backends.size(); i++) {
            add(backends.get(i), gathered.outcomes().get(i));
        }
        current.writeBytes(delimiter).writeBytes(END);
        if (all != null) {
            current = all.addComponent(true, current);
        }
    }

    private static int size(Outcome<?> outcome) {
        return outcome instanceof Outcome.Value<?> value
                ? ((BackendAnswer) value.value()).body().readableBytes()
                : 0;
    }

    /** Returns how the part of a backend begins behind the delimiter, up to its status. */
    static byte[] beginning(String backend) {
        return bytes("\r\nSpindle-Backend: " + backend + "\r\nSpindle-Status: ");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private void add(Backend backend, Outcome<?> outcome) {
        current.writeBytes(delimiter).writeBytes(backend.partBeginning);
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
        if (!outcome.isValue()) {
            int status = status(outcome);
            failedStatus = status == 504 || failedStatus == 504 ? 504 : status == 503 ? failedStatus : 502;
        }
    }

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

    /** Returns the whole, which is the caller's. */
    ByteBuf body() {
        return current;
    }

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

    /** Returns the status of an outcome without an answer. */
    static int status(Outcome<?> outcome) {
        if (outcome instanceof Outcome.TimedOut<?>) {
            return 504;
        }
        return outcome instanceof Outcome.Failed<?> ? 502 : 503;
    }

    /** Returns why there is no answer, on one line. */
    static String reason(Outcome<?> outcome) {
        String reason;
        if (outcome instanceof Outcome.Failed<?> failed) {
            reason = Reasons.of(failed.cause());
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

    /** Returns what a gathering got, enough or too little, or null if it has no outcomes of calls. */
    static @Nullable Gathered gathered(Outcome<Gathered> outcome) {
        if (outcome instanceof Outcome.Value<Gathered> value) {
            return value.value();
        }
        return outcome instanceof Outcome.Failed<Gathered> failed && failed.cause() instanceof UnmetException unmet
                ? unmet.gathered()
                : null;
    }

    /** Releases all answers of a gathering that nobody wants. */
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

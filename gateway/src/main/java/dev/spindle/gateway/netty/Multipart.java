// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.netty;

import dev.spindle.flow.Gathered;
import dev.spindle.flow.Outcome;
import dev.spindle.flow.UnmetException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Makes one answer of several, {@code multipart/mixed}: a part for each backend, in their order, with its name and
 * status, and the reason where it gave no answer. Takes over the answers, and releases those that it copies.
 */
final class Multipart {
    /** Nobody can guess it, so no body holds it by intent, and by chance none will. */
    private static final String BOUNDARY = "spindle-"
            + Long.toHexString(ThreadLocalRandom.current().nextLong())
            + Long.toHexString(ThreadLocalRandom.current().nextLong());

    private static final String TYPE = "multipart/mixed; boundary=" + BOUNDARY;
    /** Bodies up to this many bytes are copied: one buffer is written faster than many. */
    private static final int COPIED = 4 << 10;

    private final ByteBufAllocator allocator;
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
            add(backends.get(i).config.name(), gathered.outcomes().get(i));
        }
        ascii("--").ascii(BOUNDARY).ascii("--\r\n");
        if (all != null) {
            current = all.addComponent(true, current);
        }
    }

    private static int size(Outcome<?> outcome) {
        return outcome instanceof Outcome.Value<?> value
                ? ((BackendAnswer) value.value()).body().readableBytes()
                : 0;
    }

    private void add(String backend, Outcome<?> outcome) {
        ascii("--")
                .ascii(BOUNDARY)
                .ascii("\r\nSpindle-Backend: ")
                .ascii(backend)
                .ascii("\r\nSpindle-Status: ");
        if (outcome instanceof Outcome.Value<?> value) {
            BackendAnswer answer = (BackendAnswer) value.value();
            ascii(Integer.toString(answer.status()));
            String type = answer.headers().get("content-type");
            if (type != null) {
                ascii("\r\nContent-Type: ").ascii(type);
            }
            String encoding = answer.headers().get("content-encoding");
            if (encoding != null) {
                ascii("\r\nContent-Encoding: ").ascii(encoding);
            }
            ascii("\r\n\r\n");
            body(answer.body());
        } else {
            int status = status(outcome);
            failedStatus = status == 504 || failedStatus == 504 ? 504 : status == 503 ? failedStatus : 502;
            ascii(Integer.toString(status))
                    .ascii("\r\nSpindle-Reason: ")
                    .ascii(reason(outcome))
                    .ascii("\r\n\r\n");
        }
        ascii("\r\n");
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

    private Multipart ascii(String text) {
        current.writeCharSequence(text, StandardCharsets.ISO_8859_1);
        return this;
    }

    /** Returns the whole, which is the caller's. */
    ByteBuf body() {
        return current;
    }

    HttpHeaders headers() {
        return HopFields.none().add("content-type", TYPE);
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

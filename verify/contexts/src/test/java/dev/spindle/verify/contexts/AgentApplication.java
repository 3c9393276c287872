// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.contexts;

import dev.spindle.Spindle;
import dev.spindle.SpindleBuilder;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An application for the agent of OpenTelemetry. Prints the entry points that keep the trace. */
final class AgentApplication {
    private AgentApplication() {}

    /** With the argument {@code decorator}, the application sets a task decorator. */
    @SuppressWarnings({"SystemOut", "try"}) // the answer to the test
    public static void main(String[] arguments) throws Exception {
        SpindleBuilder builder = Spindle.builder();
        if (arguments.length > 0) {
            Library.OPENTELEMETRY.carry(builder);
        }
        try (Spindle spindle = builder.build()) {
            for (Entry entry : Entry.values()) {
                Span span = GlobalOpenTelemetry.getTracer("test")
                        .spanBuilder(entry.name())
                        .startSpan();
                CompletableFuture<String> seen = new CompletableFuture<>();
                try (Scope unused = span.makeCurrent()) {
                    entry.hand(
                            spindle,
                            () -> seen.complete(Span.current().getSpanContext().getTraceId()));
                }
                String trace = span.getSpanContext().getTraceId();
                boolean kept = span.getSpanContext().isValid() && trace.equals(seen.get(20, TimeUnit.SECONDS));
                System.out.println(entry + (kept ? " keeps" : " loses"));
                span.end();
            }
        }
    }
}

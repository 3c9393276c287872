// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.spring;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.actor.ActorRef;
import dev.spindle.actor.Actors;
import dev.spindle.spring.KeyedAsync;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.task.TaskDecorator;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The part of the application that tells where the trace of a request is kept. */
@Profile("traces")
@Configuration(proxyBeanMethods = false)
class Traces {
    // snippet: spring-opentelemetry
    @Bean
    TaskDecorator openTelemetry() {
        return task -> Context.current().wrap(task);
    }
    // end

    private static String trace() {
        return Span.current().getSpanContext().getTraceId();
    }

    /** Methods in order per key. */
    @Profile("traces")
    @Component
    static class Methods {
        @KeyedAsync(key = "'one'")
        public CompletableFuture<String> sequential() {
            return CompletableFuture.completedFuture(trace());
        }

        @KeyedAsync(key = "'one'", mode = KeyedAsync.Mode.COALESCING)
        public CompletableFuture<String> coalescing() {
            return CompletableFuture.completedFuture(trace());
        }
    }

    /** Hands code over at each entry point, and answers whether it ran in the trace of the request. */
    @Profile("traces")
    @RestController
    static class Requests {
        private final Spindle orders;
        private final Methods methods;

        Requests(Spindle orders, Methods methods) {
            this.orders = orders;
            this.methods = methods;
        }

        @GetMapping("/traces")
        Map<String, Boolean> traces() throws Exception {
            Map<String, Boolean> kept = new TreeMap<>();
            Keyed<String> keys = orders.keyed("accounts");
            ActorRef<Runnable> actor = Actors.create(orders).actor("runs", () -> (message, self) -> message.run());
            kept.put("request", Span.current().getSpanContext().isValid());
            kept.put("plain", isKept(orders::execute));
            kept.put("key", isKept(code -> keys.execute("a", code)));
            kept.put("coalesced", isKept(code -> ignore(keys.coalesce("a", code))));
            kept.put("strand", isKept(code -> orders.strand("journal").execute(code)));
            kept.put("executor", isKept(code -> orders.executor("reads", 2).execute(code)));
            kept.put("delayed", isKept(code -> ignore(orders.schedule(code, 1, TimeUnit.MILLISECONDS))));
            kept.put("actor", isKept(code -> ignore(actor.offer(code))));
            kept.put("stage", isKept(code -> ignore(keys.submit("a", () -> 1).thenRunAsync(code))));
            kept.put("method", methods.sequential().get(20, TimeUnit.SECONDS).equals(trace()));
            kept.put(
                    "coalescing", methods.coalescing().get(20, TimeUnit.SECONDS).equals(trace()));
            try (Spindle plain = Spindle.create()) {
                Keyed<String> others = plain.keyed("accounts");
                kept.put("control", isKept(code -> others.execute("a", code)));
            }
            return kept;
        }

        private static boolean isKept(Consumer<Runnable> entry) throws Exception {
            CompletableFuture<String> seen = new CompletableFuture<>();
            entry.accept(() -> seen.complete(trace()));
            return seen.get(20, TimeUnit.SECONDS).equals(trace());
        }

        private static void ignore(Object unused) {}
    }
}

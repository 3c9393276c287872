// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.gateway.servers;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A backend's client with a time limit on its socket, a bulkhead and a breaker: what a thread per request would use
 * today.
 */
final class GuardedCalls {
    private final BlockingClient client;
    private final Semaphore bulkhead;
    private final CircuitBreaker breaker;

    GuardedCalls(int port, int callsAtOnce) {
        client = new BlockingClient(port, (int) Plan.LIMIT_MILLIS);
        bulkhead = new Semaphore(callsAtOnce);
        breaker = CircuitBreaker.of("backend-" + port, CircuitBreakerConfig.ofDefaults());
    }

    String call(String sent) throws IOException {
        if (!bulkhead.tryAcquire()) {
            throw new IOException("the bulkhead is full");
        }
        try {
            if (!breaker.tryAcquirePermission()) {
                throw CallNotPermittedException.createCallNotPermittedException(breaker);
            }
            long start = System.nanoTime();
            try {
                String body = client.call(sent);
                breaker.onSuccess(System.nanoTime() - start, TimeUnit.NANOSECONDS);
                return body;
            } catch (IOException e) {
                breaker.onError(System.nanoTime() - start, TimeUnit.NANOSECONDS, e);
                throw e;
            }
        } finally {
            bulkhead.release();
        }
    }
}

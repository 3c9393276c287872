// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * A backend with a fixed number of places and a queue, behind a limiter, in simulated time. Calls come at a rate that
 * does not depend on how they end; calls beyond the limit are refused.
 */
final class Congestion {
    private static final long MILLI = 1_000_000;
    private static final double SECOND = 1e9;

    /** The time that a call takes once it has a place. */
    interface Service {
        double nanos(Random random);
    }

    /** Times that vary by a fifth, as those of a backend whose work is always the same. */
    static Service even(long millis) {
        return random -> millis * MILLI * (0.8 + 0.4 * random.nextDouble());
    }

    /** Times that are mostly short and seldom long, as those of a cache. */
    static Service uneven(long millis) {
        return random -> -millis * MILLI * StrictMath.log(1 - random.nextDouble());
    }

    /** The result of a period: good answers per second, their 99th percentile, and the mean of the limit. */
    record Got(double perSecond, double p99Millis, double limit) {}

    private record End(long at, long began, int inFlight) {}

    private final Limiter limiter;
    private final Random random = new Random(42);
    private final PriorityQueue<End> ends = new PriorityQueue<>((a, b) -> Long.compare(a.at, b.at));
    private final Queue<End> waiting = new ArrayDeque<>();
    private int places;
    private Service service;
    private long now;
    private int inFlight;

    Congestion(Limiter limiter, int places, Service service) {
        this.limiter = limiter;
        this.places = places;
        this.service = service;
    }

    void becomes(int newPlaces, Service newService) {
        places = newPlaces;
        service = newService;
    }

    /** Offers calls for some seconds. */
    Got offer(double perSecond, int seconds) {
        List<Long> took = new ArrayList<>();
        double limits = 0;
        long arrivals = 0;
        long until = now + (long) (seconds * SECOND);
        long next = now;
        while (next < until) {
            for (End first = ends.peek(); first != null && first.at <= next; first = ends.peek()) {
                took.add(end(ends.remove()));
            }
            now = next;
            int limit = limiter.maxConcurrency(now);
            limits += limit;
            arrivals++;
            if (inFlight < limit) {
                begin(new End(0, now, ++inFlight));
            }
            next += (long) (-StrictMath.log(1 - random.nextDouble()) * SECOND / perSecond);
        }
        now = until;
        long[] sorted = LongStream.range(0, took.size())
                .map(i -> took.get((int) i))
                .sorted()
                .toArray();
        double p99 = sorted.length == 0 ? Double.NaN : (double) sorted[sorted.length * 99 / 100] / MILLI;
        return new Got((double) took.size() / seconds, p99, limits / arrivals);
    }

    private void begin(End call) {
        if (ends.size() < places) {
            ends.add(new End(now + (long) service.nanos(random), call.began, call.inFlight));
        } else {
            waiting.add(call);
        }
    }

    private long end(End call) {
        now = call.at;
        inFlight--;
        limiter.ended(new Limiter.Sample(now, Duration.ofNanos(now - call.began), call.inFlight, false));
        while (!waiting.isEmpty() && ends.size() < places) {
            begin(waiting.remove());
        }
        return now - call.began;
    }
}

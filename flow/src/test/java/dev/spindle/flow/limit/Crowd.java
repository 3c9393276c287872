// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Clients of one backend with a fixed number of places, each client with a limiter, in simulated time. A call beyond
 * the limit is refused. A client gives up a call whose time is up, and the backend serves it all the same.
 */
final class Crowd {
    private static final long MILLI = 1_000_000;

    record Got(double perSecond, double meanMillis, double limit, double callsPerSecond) {}

    private static final class Call {
        final int client;
        final long began;
        final int inFlight;
        boolean over;

        Call(int client, long began, int inFlight) {
            this.client = client;
            this.began = began;
            this.inFlight = inFlight;
        }
    }

    private record Event(long at, long number, boolean timeIsUp, Call call) {}

    private final List<Limiter> limiters;
    private final int[] inFlight;
    private final Random random;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>((a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Long.compare(a.number, b.number));
    private final Queue<Call> waiting = new ArrayDeque<>();
    private final int places;
    private final Congestion.Service service;
    private final long timeLimit;
    private int busy;
    private long now;
    private long number;
    private long good;
    private long sum;
    private long begun;
    private double limits;
    private long looks;

    Crowd(
            int clients,
            Supplier<Limiter> limiter,
            int places,
            Congestion.Service service,
            long timeLimitMillis,
            long seed) {
        limiters = Stream.generate(limiter).limit(clients).toList();
        inFlight = new int[clients];
        this.places = places;
        this.service = service;
        timeLimit = timeLimitMillis * MILLI;
        random = new Random(seed);
    }

    private void add(long at, boolean timeIsUp, Call call) {
        events.add(new Event(at, number++, timeIsUp, call));
    }

    Got offer(double perSecond, int seconds) {
        good = 0;
        sum = 0;
        begun = 0;
        looks = 0;
        limits = 0;
        long until = now + seconds * 1_000L * MILLI;
        long next = now;
        while (true) {
            long end = Math.min(next, until);
            for (Event first = events.peek(); first != null && first.at <= end; first = events.peek()) {
                happen(events.remove());
            }
            if (next >= until) break;
            now = next;
            int client = random.nextInt(limiters.size());
            int limit = limiters.get(client).maxConcurrency(now);
            limits += limit;
            looks++;
            if (inFlight[client] < limit) {
                Call call = new Call(client, now, ++inFlight[client]);
                begun++;
                if (timeLimit > 0) add(now + timeLimit, true, call);
                if (busy < places) serve(call);
                else waiting.add(call);
            }
            next += (long) (-StrictMath.log(1 - random.nextDouble()) * 1e9 / perSecond);
        }
        now = until;
        return new Got(
                (double) good / seconds,
                good == 0 ? Double.NaN : (double) sum / good / MILLI,
                limits / looks,
                (double) begun / seconds);
    }

    private void serve(Call call) {
        busy++;
        add(now + (long) service.nanos(random), false, call);
    }

    private void happen(Event event) {
        now = event.at;
        Call call = event.call;
        if (event.timeIsUp) {
            if (!call.over) {
                end(call, true);
            }
            return;
        }
        busy--;
        if (!call.over) {
            good++;
            sum += now - call.began;
            end(call, false);
        }
        while (busy < places && !waiting.isEmpty()) {
            Call w = waiting.remove();
            serve(w);
        }
    }

    private void end(Call call, boolean overloaded) {
        call.over = true;
        inFlight[call.client]--;
        limiters.get(call.client)
                .ended(new Limiter.Sample(now, Duration.ofNanos(now - call.began), call.inFlight, overloaded));
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow.limit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Short versions of limiters of other projects, written from their descriptions: Vegas and Gradient2 of
 * concurrency-limits, and the gradient controller of Envoy.
 */
final class Peers {
    private Peers() {}

    static Limiter vegas(int initial, int max) {
        return new Vegas(initial, max);
    }

    static Limiter gradient2(int min, int initial, int max) {
        return new Gradient2(min, initial, max);
    }

    static Limiter envoy(long seed, int max) {
        return new Envoy(seed, max);
    }

    static final class Vegas extends Peer {
        double limit;
        final int max;
        double noLoad;
        int probe = 1;
        double jitter = 0.75;
        final Random random = new Random(1);

        Vegas(int initial, int max) {
            limit = initial;
            this.max = max;
        }

        @Override
        public int maxConcurrency(long now) {
            return (int) limit;
        }

        @Override
        void ended(long now, long nanos, int inFlight, boolean over) {
            double log = Math.max(1, StrictMath.log10((int) limit));
            if (probe++ >= 30 * jitter * limit) {
                jitter = 0.5 + random.nextDouble() / 2;
                probe = 0;
                noLoad = nanos;
                return;
            }
            if (noLoad == 0 || nanos < noLoad) {
                noLoad = nanos;
                return;
            }
            double queue = Math.ceil(limit * (1 - noLoad / nanos));
            double next = limit;
            if (over) next -= log;
            else if (inFlight * 2 < limit) return;
            else if (queue <= log) next += 6 * log;
            else if (queue < 3 * log) next += log;
            else if (queue > 6 * log) next -= log;
            limit = Math.max(1, Math.min(max, next));
        }
    }

    static final class Gradient2 extends Peer {
        double limit;
        final int min, max;
        double longRtt;
        int warm;
        double warmSum;
        long windowEnd;
        double sum;
        int n;
        int most;

        Gradient2(int min, int initial, int max) {
            this.min = min;
            limit = initial;
            this.max = max;
        }

        @Override
        public int maxConcurrency(long now) {
            return (int) limit;
        }

        @Override
        void ended(long now, long nanos, int inFlight, boolean over) {
            sum += nanos;
            n++;
            most = Math.max(most, inFlight);
            if (now < windowEnd || n < 10) return;
            double shortRtt = sum / n;
            int used = most;
            sum = 0;
            n = 0;
            most = 0;
            windowEnd = now + Math.min(Math.max(2 * (long) shortRtt, 100_000_000), 1_000_000_000);
            if (warm < 10) {
                warm++;
                warmSum += shortRtt;
                longRtt = warmSum / warm;
            } else longRtt += (shortRtt - longRtt) * 2 / 601;
            if (longRtt / shortRtt > 2) longRtt *= 0.95;
            if (used < limit / 2) return;
            double gradient = Math.max(0.5, Math.min(1, 1.5 * longRtt / shortRtt));
            limit = limit * 0.8 + 0.2 * (limit * gradient + 4);
            limit = Math.max(min, Math.min(max, limit));
        }
    }

    static final class Envoy extends Peer {
        final Random random;
        final int max;
        int limit = 3;
        int saved;
        boolean measuring = true;
        long since;
        double minRtt;
        long windowEnd, nextMeasure;
        final List<Long> samples = new ArrayList<>();

        Envoy(long seed, int max) {
            random = new Random(seed);
            this.max = max;
        }

        @Override
        public int maxConcurrency(long now) {
            look(now);
            return limit;
        }

        void look(long now) {
            if (!measuring && now >= nextMeasure) {
                measuring = true;
                saved = limit;
                limit = 3;
                since = now;
                samples.clear();
            }
            if (!measuring && now >= windowEnd) {
                windowEnd = now + 100_000_000;
                update();
            }
        }

        double p50() {
            Collections.sort(samples);
            return samples.get(samples.size() / 2);
        }

        void update() {
            if (samples.isEmpty()) return;
            double gradient = Math.max(0.5, Math.min(2, minRtt * 1.25 / p50()));
            samples.clear();
            limit = (int) Math.max(3, Math.min(max, limit * gradient + Math.sqrt(limit * gradient)));
        }

        @Override
        void ended(long now, long nanos, int inFlight, boolean over) {
            if (measuring) {
                if (now - nanos < since) return;
                samples.add(nanos);
                if (samples.size() >= 50) {
                    minRtt = p50();
                    samples.clear();
                    measuring = false;
                    limit = saved == 0 ? limit : saved;
                    nextMeasure = now + (long) (60e9 * (1 + 0.15 * random.nextDouble()));
                    windowEnd = now + 100_000_000;
                }
                return;
            }
            look(now);
            if (measuring) return;
            samples.add(nanos);
        }
    }

    abstract static class Peer implements Limiter {
        abstract void ended(long now, long nanos, int inFlight, boolean over);

        @Override
        public void ended(Sample sample) {
            ended(sample.nanoTime(), sample.elapsed().toNanos(), sample.running(), sample.overloaded());
        }
    }
}

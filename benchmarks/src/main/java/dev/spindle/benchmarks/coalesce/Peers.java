// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.coalesce;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import dev.spindle.pipeline.Coalescer;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/** The contenders. Keys are objects made beforehand, as those of a feed are. */
final class Peers {
    private static final long STOP = -1;

    private Peers() {}

    private static Long[] keys(int count) {
        Long[] keys = new Long[count];
        Arrays.setAll(keys, key -> 1_000L + key);
        return keys;
    }

    /** What the producers' part costs without any hand-over. */
    static Feed array(int count, Consumer<Tick> screen) {
        AtomicReferenceArray<Tick> latest = new AtomicReferenceArray<>(count);
        return new Feed() {
            @Override
            public void update(Tick tick) {
                latest.setRelease(tick.key(), tick);
            }

            @Override
            public void finish() {
                for (int key = 0; key < count; key++) {
                    Tick tick = latest.get(key);
                    if (tick != null) {
                        screen.accept(tick);
                    }
                }
            }

            @Override
            public void close() {}
        };
    }

    static Feed coalescer(int count, Consumer<Tick> screen) {
        Long[] keys = keys(count);
        Spindle spindle = Spindle.create();
        Coalescer<Long, Tick> coalescer = Coalescer.create(spindle, (key, tick) -> screen.accept(tick));
        return new Feed() {
            @Override
            public void update(Tick tick) {
                coalescer.offer(keys[tick.key()], tick);
            }

            @Override
            public void finish() {
                coalescer.close();
            }

            @Override
            public void close() {
                spindle.close();
            }
        };
    }

    static Feed keyed(int count, Consumer<Tick> screen) {
        Long[] keys = keys(count);
        Spindle spindle = Spindle.create();
        Keyed<Long> keyed = spindle.keyed();
        return new Feed() {
            @Override
            public void update(Tick tick) {
                keyed.coalesce(keys[tick.key()], () -> screen.accept(tick));
            }

            @Override
            public void finish() {
                spindle.close();
            }

            @Override
            public void close() {}
        };
    }

    static Feed ring(int count, Consumer<Tick> screen) {
        Long[] keys = keys(count);
        int capacity = Math.max(1_024, 2 * Integer.highestOneBit(count));
        CoalescingRing<Long, Tick> ring = new CoalescingRing<>(capacity);
        return new Polled(ring::drainTo, screen) {
            @Override
            public void update(Tick tick) {
                while (!ring.offer(keys[tick.key()], tick)) {
                    Thread.onSpinWait();
                }
            }
        };
    }

    static Feed polling(int count, Consumer<Tick> screen) {
        Long[] keys = keys(count);
        ConcurrentHashMap<Long, Tick> latest = new ConcurrentHashMap<>();
        ConcurrentLinkedQueue<Long> pending = new ConcurrentLinkedQueue<>();
        return new Polled(
                show -> {
                    Long key = pending.poll();
                    Tick tick = key == null ? null : latest.remove(key);
                    if (tick == null) {
                        return 0;
                    }
                    show.accept(tick);
                    return 1;
                },
                screen) {
            @Override
            public void update(Tick tick) {
                if (latest.put(keys[tick.key()], tick) == null) {
                    pending.add(keys[tick.key()]);
                }
            }
        };
    }

    static Feed blocking(int count, Consumer<Tick> screen) {
        Long[] keys = keys(count);
        ConcurrentHashMap<Long, Tick> latest = new ConcurrentHashMap<>();
        BlockingQueue<Long> pending = new LinkedBlockingQueue<>();
        Thread consumer = new Thread(
                () -> {
                    try {
                        for (Long key = pending.take(); key != STOP; key = pending.take()) {
                            Tick tick = latest.remove(key);
                            if (tick != null) {
                                screen.accept(tick);
                            }
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "consumer");
        consumer.start();
        return new Feed() {
            @Override
            public void update(Tick tick) {
                if (latest.put(keys[tick.key()], tick) == null) {
                    pending.add(keys[tick.key()]);
                }
            }

            @Override
            public void finish() throws InterruptedException {
                pending.add(STOP);
                consumer.join();
            }

            @Override
            public void close() {}
        };
    }

    /** A thread of its own that looks for work all the time. */
    private abstract static class Polled implements Feed {
        private final Thread consumer;
        private volatile boolean ended;

        /** Shows some of what is there, and returns how much it was. */
        private interface Poll {
            int show(Consumer<Tick> screen);
        }

        Polled(Poll poll, Consumer<Tick> screen) {
            consumer = new Thread(() -> run(poll, screen), "consumer");
            consumer.start();
        }

        private void run(Poll poll, Consumer<Tick> screen) {
            boolean last = false;
            while (true) {
                if (poll.show(screen) > 0) {
                    continue;
                }
                if (last) {
                    return;
                }
                last = ended; // what came before it is there to be polled
                Thread.onSpinWait();
            }
        }

        @Override
        public void finish() throws InterruptedException {
            ended = true;
            consumer.join();
        }

        @Override
        public void close() {}
    }
}

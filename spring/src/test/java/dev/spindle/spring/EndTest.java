// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import static dev.spindle.spring.Contexts3And4.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Spindle;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;

@Timeout(120)
class EndTest {
    @Test
    void close_ofTheContext_runsWhatWasAcceptedBeforeItsBeansAreDestroyed() {
        Resource resource = new Resource();
        Spindle[] pool = new Spindle[1];
        CountDownLatch go = new CountDownLatch(1);
        int[] used = new int[1];
        runner("pools.main.max-threads=8")
                .withBean(Resource.class, () -> resource)
                .withBean(Consumer.class, () -> new Consumer(go))
                .run(context -> {
                    pool[0] = context.getBean(Spindle.class);
                    for (int i = 0; i < 100; i++) {
                        pool[0].keyed("k").execute("a", () -> {
                            awaitQuietly(go);
                            resource.use();
                            used[0]++;
                        });
                    }
                });

        assertThat(used[0]).isEqualTo(100);
        assertThat(pool[0].isTerminated()).isTrue();
    }

    private static class Resource implements DisposableBean {
        private volatile boolean destroyed;

        void use() {
            assertThat(destroyed).isFalse();
        }

        @Override
        public void destroy() {
            destroyed = true;
        }
    }

    /** Has the phase of a consumer of messages: it stops while the pool still accepts. */
    private record Consumer(CountDownLatch stopped) implements SmartLifecycle {
        @Override
        public void start() {}

        @Override
        public void stop() {
            stopped.countDown();
        }

        @Override
        public boolean isRunning() {
            return stopped.getCount() > 0;
        }

        @Override
        public int getPhase() {
            return Integer.MAX_VALUE - 100;
        }
    }

    @Test
    void close_withStuckKeys_endsWithinTheTimeoutOfOnePool() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicReference<Thread> stuck = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(2);
        long[] begin = new long[1];
        runner("pools.one.close-timeout=1s", "pools.two.close-timeout=1s").run(context -> {
            for (Spindle pool : context.getBeansOfType(Spindle.class).values()) {
                pool.keyed("k").execute("a", () -> {
                    stuck.set(Thread.currentThread());
                    begun.countDown();
                    awaitWhateverHappens(never);
                });
            }
            begun.await();
            begin[0] = System.nanoTime();
        });
        Duration took = Duration.ofNanos(System.nanoTime() - begin[0]);
        never.countDown();

        assertThat(took).isBetween(Duration.ofMillis(900), Duration.ofSeconds(15));
    }

    @Test
    void stop_ofTheContextWithoutItsEnd_leavesThePoolOpen() {
        runner("pools.main.max-threads=8").run(context -> {
            context.getSourceApplicationContext().stop();
            context.getSourceApplicationContext().start();

            assertThat(context.getBean(Spindle.class).submit(() -> 7).get()).isEqualTo(7);
        });
    }

    @Test
    void start_thatFails_endsThePool() {
        AtomicReference<Spindle> pool = new AtomicReference<>();
        runner("pools.main.max-threads=8")
                .withBean(Failing.class, () -> new Failing(pool))
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(pool.get().isTerminated()).isTrue();
                });
    }

    private static class Failing implements InitializingBean, org.springframework.beans.factory.BeanFactoryAware {
        private final AtomicReference<Spindle> seen;

        Failing(AtomicReference<Spindle> seen) {
            this.seen = seen;
        }

        @Override
        public void setBeanFactory(org.springframework.beans.factory.BeanFactory beans) {
            Spindle pool = beans.getBean(Spindle.class);
            pool.execute(() -> {});
            seen.set(pool);
        }

        @Override
        public void afterPropertiesSet() {
            throw new IllegalStateException("on purpose");
        }
    }

    @Test
    void pool_afterTheEnd_rejects() {
        Spindle[] pool = new Spindle[1];
        runner("pools.main.max-threads=8").run(context -> pool[0] = context.getBean(Spindle.class));

        assertThatThrownBy(() -> pool[0].execute(() -> {})).hasMessageContaining("main");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitWhateverHappens(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException ignored) {
                // a task that does not react
            }
        }
    }
}

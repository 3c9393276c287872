// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spindle.Keyed;
import dev.spindle.LogicalExecutor;
import dev.spindle.OnFull;
import dev.spindle.Spindle;
import dev.spindle.Strand;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpindleMetricsTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Spindle spindle = Spindle.builder()
            .name("shop")
            .coreThreads(2)
            .maxThreads(4)
            .sampleOneIn(1)
            .build();

    @AfterEach
    void end() {
        spindle.shutdownNow(); // a test that failed may have left a task that waits
        spindle.close();
    }

    /** Returns metrics whose clock stands still, so that no reading seems long, even on a machine that pauses. */
    private static SpindleMetrics metrics(Spindle of) {
        return new SpindleMetrics(of.terminated(), Tags.empty(), new Snapshots(of, () -> 0));
    }

    private double gauge(String name, String... tags) {
        Gauge found = registry.get(name).tags(tags).gauge();
        return found.value();
    }

    private double total(String name, String... tags) {
        FunctionCounter found = registry.get(name).tags(tags).functionCounter();
        return found.count();
    }

    /** Reads each meter once, as a scrape does. */
    private static void scrape(MeterRegistry registry) {
        registry.getMeters()
                .forEach(meter -> meter.measure().forEach(one -> {
                    double unused = one.getValue();
                }));
    }

    private List<String> names() {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .distinct()
                .toList();
    }

    // ---------------------------------------------------------------- names

    /** Returns the names with their units, types and tag names, but for what only some executors have. */
    private static Map<String, String> described(MeterRegistry registry) {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getName().startsWith("executor"))
                .collect(Collectors.toMap(
                        Meter.Id::getName,
                        id -> id.getType() + " " + id.getBaseUnit() + " "
                                + id.getTags().stream().map(Tag::getKey).toList(),
                        (one, other) -> one,
                        TreeMap::new));
    }

    @Test
    void meters_ofTheStandardNames_haveTheUnitsAndTagsThatMicrometerGivesExecutorsOfTheJdk() throws Exception {
        MeterRegistry jdk = new SimpleMeterRegistry();
        ExecutorService fixed = Executors.newFixedThreadPool(1);
        ExecutorService monitored = ExecutorServiceMetrics.monitor(jdk, fixed, "fixed");
        monitored.submit(() -> 1).get();

        metrics(spindle).bindTo(registry);

        assertThat(described(jdk)).hasSizeGreaterThan(8);
        assertThat(described(registry)).containsAllEntriesOf(described(jdk));
        fixed.shutdown();
    }

    @Test
    void steals_ofAForkJoinPool_haveTheSameName() {
        MeterRegistry jdk = new SimpleMeterRegistry();
        ExecutorService stealing = Executors.newWorkStealingPool(2);
        new ExecutorServiceMetrics(stealing, "stealing", List.of()).bindTo(jdk);

        metrics(spindle).bindTo(registry);

        for (String name : List.of("executor.steals", "executor.running")) {
            assertThat(described(registry).get(name))
                    .as(name)
                    .isEqualTo(described(jdk).get(name));
        }
        stealing.shutdown();
    }

    @Test
    void m1_meters_ofKeysStrandsAndActors_haveNoTagForEach() throws Exception {
        Keyed<String> keys = spindle.keyed("orders");
        keys.submit("order-4711", () -> 1).get();
        spindle.strand("journal-42").submit(() -> 1).get();

        metrics(spindle).bindTo(registry);

        assertThat(registry.getMeters())
                .flatExtracting(meter -> meter.getId().getTags())
                .extracting(Tag::getValue)
                .contains("shop", "orders")
                .doesNotContain("order-4711", "journal-42");
    }

    @Test
    void tags_ofTheUser_areAdded() {
        new SpindleMetrics(spindle, Tags.of("zone", "a")).bindTo(registry);

        assertThat(gauge("executor.pool.max", "zone", "a", "name", "shop")).isEqualTo(4);
    }

    // ---------------------------------------------------------------- values

    @Test
    void values_whileATaskRunsAndOthersWait_areThoseOfStats() throws Exception {
        metrics(spindle).bindTo(registry);
        Keyed<String> keys = spindle.keyed("orders");
        LogicalExecutor reads = spindle.executorBuilder("reads")
                .maxConcurrency(1)
                .capacity(2, OnFull.reject())
                .build();
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch go = new CountDownLatch(1);
        keys.execute("a", () -> hold(begun, go));
        keys.execute("a", () -> {});
        reads.execute(() -> hold(begun, go));
        reads.execute(() -> {});
        begun.await();

        scrape(registry); // finds the new parts

        assertThat(gauge("executor.active", "name", "shop")).isEqualTo(2);
        assertThat(gauge("executor.queued", "name", "shop")).isEqualTo(2);
        assertThat(gauge("spindle.blocked", "name", "shop")).isEqualTo(2);
        assertThat(gauge("executor.pool.max", "name", "shop")).isEqualTo(4);
        assertThat(gauge("spindle.keys.pending", "space", "orders")).isEqualTo(1);
        assertThat(gauge("spindle.keys.running", "space", "orders")).isEqualTo(1);
        assertThat(gauge("executor.active", "name", "shop/reads")).isEqualTo(1);
        assertThat(gauge("executor.queue.remaining", "name", "shop/reads")).isEqualTo(1);
        assertThat(gauge("executor.pool.max", "name", "shop/reads")).isEqualTo(1);
        go.countDown();
        reads.submit(() -> 1).get();
        scrape(registry);
        assertThat(total("executor.completed", "name", "shop/reads")).isGreaterThanOrEqualTo(2);
    }

    private static void hold(CountDownLatch begun, CountDownLatch go) {
        begun.countDown();
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void timers_withEveryTaskSampled_haveAllTasksAndTheirTime() throws Exception {
        metrics(spindle).bindTo(registry);
        Keyed<String> keys = spindle.keyed("orders");
        long each = TimeUnit.MILLISECONDS.toNanos(2);
        Future<?> last = keys.submit("a", () -> 0);
        for (int i = 0; i < 20; i++) {
            last = keys.submit("a", () -> spin(each));
        }
        last.get();
        keys.quiesce().get();

        scrape(registry);

        FunctionTimer runs = registry.get("executor").functionTimer();
        assertThat(runs.count()).isBetween(20.0, 30.0);
        assertThat(runs.totalTime(TimeUnit.MILLISECONDS)).isGreaterThan(38);
        assertThat(registry.get("spindle.run")
                        .tags("quantile", "0.5")
                        .timeGauge()
                        .value(TimeUnit.MILLISECONDS))
                .isGreaterThan(1.7);
        assertThat(registry.get("executor.idle").functionTimer().count()).isBetween(20.0, 30.0);
    }

    private static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void timers_withoutSamples_areAbsent() {
        try (Spindle other = Spindle.builder().name("other").sampleOneIn(0).build()) {
            new SpindleMetrics(other).bindTo(registry);

            assertThat(names())
                    .contains("executor.completed")
                    .doesNotContain("executor", "executor.idle", "spindle.run");
        }
    }

    @Test
    void parts_withEqualNames_shareTheirMeters() throws Exception {
        LogicalExecutor one = spindle.executor("reads", 3);
        LogicalExecutor other = spindle.executor("reads", 4);
        one.submit(() -> 1).get();
        other.submit(() -> 1).get();

        metrics(spindle).bindTo(registry);

        assertThat(gauge("executor.pool.max", "name", "shop/reads")).isEqualTo(7);
        assertThat(total("executor.completed", "name", "shop/reads")).isEqualTo(2);
    }

    @Test
    void parts_afterTheFirst500_areShownTogether() {
        List<LogicalExecutor> all = new java.util.ArrayList<>();
        for (int i = 0; i < 600; i++) {
            all.add(spindle.executor("request-" + i, 1));
        }

        metrics(spindle).bindTo(registry);

        assertThat(registry.find("executor.active").meters()).hasSizeLessThan(502);
        assertThat(gauge("executor.pool.max", "name", "shop/others")).isGreaterThan(90);
        assertThat(all).hasSize(600);
    }

    // ---------------------------------------------------------------- one reading for each scrape

    @Test
    void scrape_ofAllMeters_readsTheSpindleOnce() {
        SpindleMetrics metrics = metrics(spindle);
        spindle.keyed("orders");
        metrics.bindTo(registry);
        scrape(registry);
        long before = metrics.snapshots().count();

        for (int i = 0; i < 5; i++) {
            scrape(registry);
        }

        assertThat(registry.getMeters()).hasSizeGreaterThan(30);
        assertThat(metrics.snapshots().count() - before).isEqualTo(5);
    }

    @Test
    void scrape_ofTwoRegistries_readsTheSpindleOnceForEach() {
        SpindleMetrics metrics = metrics(spindle);
        MeterRegistry other = new SimpleMeterRegistry();
        metrics.bindTo(registry);
        metrics.bindTo(other);
        scrape(registry);
        scrape(other);
        long before = metrics.snapshots().count();

        scrape(registry);
        scrape(other);

        assertThat(metrics.snapshots().count() - before).isLessThanOrEqualTo(2);
    }

    // ---------------------------------------------------------------- parts that come and go

    @Test
    void executor_thatHasEnded_hasNoMeterAfterTheNextScrape() throws Exception {
        metrics(spindle).bindTo(registry);
        LogicalExecutor reads = spindle.executor("reads", 3);
        scrape(registry);
        assertThat(registry.find("executor.active").tags("name", "shop/reads").gauge())
                .isNotNull();

        reads.close();
        scrape(registry);

        assertThat(registry.find("executor.active").tags("name", "shop/reads").gauge())
                .isNull();
        assertThat(gauge("executor.pool.max", "name", "shop")).isEqualTo(4);
    }

    @Test
    void u3_closeOfTheSpindle_removesAllMeters() {
        Spindle other = Spindle.builder().name("other").build();
        new SpindleMetrics(other).bindTo(registry);
        assertThat(registry.getMeters()).isNotEmpty();

        other.close();

        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void close_ofTheMetrics_removesAllMetersAndLeavesTheSpindle() throws Exception {
        SpindleMetrics metrics = metrics(spindle);
        metrics.bindTo(registry);

        metrics.close();

        assertThat(registry.getMeters()).isEmpty();
        assertThat(spindle.submit(() -> 7).get()).isEqualTo(7);
        assertThatThrownBy(() -> metrics.bindTo(registry))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shop");
    }

    @Test
    void meters_ofASecondSpindleWithTheSameName_replaceThoseOfTheFirst() {
        metrics(spindle).bindTo(registry);
        Spindle second =
                Spindle.builder().name("shop").maxThreads(9).coreThreads(1).build();
        metrics(second).bindTo(registry);

        assertThat(gauge("executor.pool.max", "name", "shop")).isEqualTo(9);

        spindle.close(); // the end of the first takes nothing from the second
        assertThat(gauge("executor.pool.max", "name", "shop")).isEqualTo(9);
        second.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void u1_listenersOfTheRegistry_mayCallBackIn() {
        AtomicInteger seen = new AtomicInteger();
        registry.config()
                .onMeterAdded(meter -> meter.measure().forEach(one -> {
                    double unused = one.getValue();
                    seen.incrementAndGet();
                }));

        metrics(spindle).bindTo(registry);

        assertThat(seen).hasPositiveValue();
    }

    @Test
    void u1_aFilterThatThrows_leavesTheOtherMetersReadable() {
        registry.config().onMeterAdded(meter -> {
            if (meter.getId().getName().equals("spindle.ready")) {
                throw new IllegalStateException("a listener of the user");
            }
        });

        assertThatThrownBy(() -> metrics(spindle).bindTo(registry)).hasMessage("a listener of the user");
        assertThat(gauge("executor.pool.max", "name", "shop")).isEqualTo(4);
    }

    @Test
    void strand_withAThreadOfItsOwn_hasTheMetersOfASpindleWithItsNameUntilItsEnd() throws Exception {
        Strand log = Strand.builder("log").build();
        new SpindleMetrics(log, Tags.of("zone", "a")).bindTo(registry);
        log.submit(() -> {}).get();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        log.execute(() -> {
            begun.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        log.execute(() -> {});
        begun.await();

        scrape(registry);

        assertThat(gauge("executor.pool.max", "name", "log", "zone", "a")).isEqualTo(1);
        assertThat(gauge("spindle.strands.running", "name", "log")).isEqualTo(1);
        assertThat(gauge("spindle.strands.pending", "name", "log")).isEqualTo(1);
        assertThat(total("executor.completed", "name", "log")).isEqualTo(1);
        go.countDown();
        log.close();
        while (!registry.getMeters().isEmpty()) { // the termination removes them, after the close has returned
            Thread.onSpinWait();
        }
    }

    @Test
    void strand_onASpindle_isRefusedWithTheSpindleThatHasIt() {
        Strand shared = spindle.strand("orders");

        assertThatThrownBy(() -> new SpindleMetrics(shared))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("strand orders is on spindle shop, whose meters include it; make the meters of that"
                        + " spindle");
    }
}

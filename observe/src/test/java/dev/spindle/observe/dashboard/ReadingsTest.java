// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spindle.internal.Counters;
import dev.spindle.internal.LaneName;
import dev.spindle.internal.Pool;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ReadingsTest {
    private record Lane(String key) implements LaneName {
        @Override
        public String spaceName() {
            return "orders";
        }
    }

    @Test
    void pass_keepsTheFirstByAgeAndByDepth() {
        KeyPass pass = new KeyPass(0, 30_000);
        for (int i = 0; i < 1_000; i++) {
            int shuffled = i * 7 % 1_000;
            pass.lane(new Lane("order-" + shuffled), 1_000 - shuffled, shuffled, null, -1, false);
        }
        pass.lane(new Lane("idle"), 0, 0, null, -1, false);
        pass.lane(new Lane("open"), 0, 0, null, 40_000, false);
        pass.lane(new Lane("paused"), 3, 50_000, null, -1, true);
        pass.lane(new Lane("paused idle"), 0, 0, null, -1, true);
        pass.lane(new Lane("late"), 1, 30_000, null, -1, false);

        assertThat(keys(pass.old())).hasSize(KeyPass.MOST_OLD).startsWith("paused", "open", "late", "order-999");
        assertThat(keys(pass.deep()))
                .containsExactly(
                        "order-0", "order-1", "order-2", "order-3", "order-4", "order-5", "order-6", "order-7");
        assertThat(pass.live()).isEqualTo(1_005);
        assertThat(pass.busy()).isEqualTo(1_003);
        assertThat(pass.waiting()).isEqualTo(500_500 + 4);
        assertThat(pass.async()).isEqualTo(1);
        assertThat(pass.stuckAsync()).isEqualTo(1);
        assertThat(pass.paused()).isEqualTo(2);
    }

    private static List<Object> keys(List<KeyPass.Row> rows) {
        return rows.stream().map(row -> row.lane().key()).collect(Collectors.toList());
    }

    @Test
    void rate_isThatOfAboutASecond() {
        Rate rate = new Rate();
        assertThat(rate.perSecond(1_000, 500)).isEqualTo(-1);
        assertThat(rate.perSecond(1_250, 750)).isEqualTo(1_000);
        assertThat(rate.perSecond(1_250, 800)).isEqualTo(1_200);
        assertThat(rate.perSecond(2_000, 750)).isEqualTo(250);
        assertThat(rate.perSecond(2_250, 750)).isEqualTo(0);
        assertThat(rate.perSecond(12_250, 10_750)).isEqualTo(1_000);
        assertThat(rate.perSecond(12_500, 0)).isEqualTo(0);
        rate.clear();
        assertThat(rate.perSecond(13_000, 0)).isEqualTo(-1);
    }

    @Test
    void percentiles_areOfTheSamplesSinceTheFirstReading() {
        long[] before = new long[Counters.TIMES];
        before[Counters.bucket(1_000_000_000)] = 1_000;
        long[] after = before.clone();
        after[Counters.bucket(10_000)] = 98;
        after[Counters.bucket(8_000_000)] = 2;
        SampledTimes times = new SampledTimes();
        times.write(new Json().object(), 1_000, new Pool.Times(128, before, new long[0]));

        Json json = new Json().object();
        times.write(json, 2_000, new Pool.Times(128, after, new long[0]));

        Matcher row = Pattern.compile("\\[-1,-1,([0-9.]+),([0-9.]+),100\\]").matcher(json.toString());
        assertThat(row.find()).as(json.toString()).isTrue();
        assertThat(Double.parseDouble(String.valueOf(row.group(1)))).isBetween(8.0, 12.0);
        assertThat(Double.parseDouble(String.valueOf(row.group(2)))).isBetween(6_500.0, 9_500.0);
        assertThat(SampledTimes.percentile(new long[0], 0.5)).isEqualTo(-1);
    }

    @Test
    void percentilesOfCalls_areOfTheLastSeconds() {
        long[] bounds = {1, 2, 5};
        CallTimes times = new CallTimes();
        times.add(1_000, bounds, new long[] {1_000_000, 0, 0, 7});
        assertThat(times.percentile(0.5)).isEqualTo(-1); // the calls before the first reading

        times.add(2_000, bounds, new long[] {1_000_000, 50, 50, 7});
        assertThat(times.percentile(0.25)).isEqualTo(1.5);
        assertThat(times.percentile(0.75)).isEqualTo(3.5);
        times.add(3_000, bounds, new long[] {1_000_000, 50, 50, 1_007});
        assertThat(times.percentile(0.99)).isEqualTo(5); // the last bucket has no upper bound
        times.add(14_000, bounds, new long[] {1_000_010, 50, 50, 1_007});
        assertThat(times.percentile(0.99)).isEqualTo(0.99);
        times.add(30_000, bounds, new long[] {1_000_010, 50, 50, 1_007});
        assertThat(times.percentile(0.99)).isEqualTo(-1);
    }

    @Test
    void json_hasCommasAndEscapes() {
        String text = new Json()
                .object()
                .member("a", 1)
                .member("b", 1.005)
                .member("c", "x\"y\\z\u0000\u2028")
                .name("d")
                .array()
                .value(true)
                .value((String) null)
                .array()
                .endArray()
                .value(-1.5)
                .endArray()
                .name("e")
                .object()
                .endObject()
                .endObject()
                .toString();

        assertThat(text)
                .isEqualTo("{\"a\":1,\"b\":1,\"c\":\"x\\\"y\\\\z\\u0000\\u2028\",\"d\":[1,null,[],-1.5],\"e\":{}}");
    }
}

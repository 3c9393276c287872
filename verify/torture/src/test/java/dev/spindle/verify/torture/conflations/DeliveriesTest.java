// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.conflations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
    private final Deliveries deliveries = new Deliveries();

    @Test
    void latestOfEachKey_isNoError() {
        deliveries.accept(new Value(1, 0, 4));
        deliveries.accept(new Value(2, 0, 3));
        deliveries.accept(new Value(1, 0, 7));
        deliveries.undelivered(List.of(new Value(2, 0, 9)));
        deliveries.checkLast(0, Map.of(1, 7, 2, 9));

        assertThat(deliveries.errors()).isEmpty();
        assertThat(deliveries.count()).isEqualTo(3);
    }

    @Test
    void valuesThatGoBack_areAnError() {
        deliveries.accept(new Value(1, 0, 7));
        deliveries.accept(new Value(1, 1, 2));
        deliveries.accept(new Value(1, 0, 4));

        assertThat(deliveries.errors()).singleElement().asString().contains("key 1 got", "after number 7");
    }

    @Test
    void lastValueThatNeverCame_isAnError() {
        deliveries.accept(new Value(1, 0, 7));
        deliveries.checkLast(0, Map.of(1, 8, 5, 1));

        assertThat(deliveries.errors()).hasSize(2);
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpaceKeyTest {
    private static final SpaceKey A = new SpaceKey("orders", "a");

    /** A key whose hash code is that of all others. */
    private record Colliding(int number) {
        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void equals_sameSpaceAndKey_isTrue() {
        assertThat(A).isEqualTo(new SpaceKey("orders", new String("a"))).hasSameHashCodeAs(new SpaceKey("orders", "a"));
    }

    @Test
    void equals_otherSpaceKeyOrType_isFalse() {
        assertThat(A).isNotEqualTo(new SpaceKey("refunds", "a"));
        assertThat(A).isNotEqualTo(new SpaceKey("orders", "b"));
        assertThat(A).isNotEqualTo("a");
        assertThat(new SpaceKey("orders", new Colliding(1))).isNotEqualTo(new SpaceKey("orders", new Colliding(2)));
        assertThat(new SpaceKey("Aa", new Colliding(1))).isNotEqualTo(new SpaceKey("BB", new Colliding(1)));
    }

    @Test
    void compareTo_keys_areOrderedBySpaceThenByThemselves() {
        assertThat(A).isLessThan(new SpaceKey("orders", "b"));
        assertThat(A).isLessThan(new SpaceKey("refunds", "a"));
        assertThat(A).isEqualByComparingTo(new SpaceKey("orders", 1));
        assertThat(new SpaceKey("orders", new Colliding(1)))
                .isEqualByComparingTo(new SpaceKey("orders", new Colliding(2)));
    }

    @Test
    void keyOfAndSpaceOf_namedOrNot_giveTheUsersKey() {
        assertThat(SpaceKey.keyOf(A)).isEqualTo("a");
        assertThat(SpaceKey.keyOf("a")).isEqualTo("a");
        assertThat(SpaceKey.spaceOf(A)).isEqualTo("orders");
        assertThat(SpaceKey.spaceOf("a")).isNull();
        assertThat(A).hasToString("orders/a");
    }

    @Test
    void create_keyIsNull_isRefused() {
        assertThatThrownBy(() -> new SpaceKey("orders", nothing())).isInstanceOf(NullPointerException.class);
    }

    @SuppressWarnings("NullAway") // on purpose
    private static Object nothing() {
        return null;
    }
}

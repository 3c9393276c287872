// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.jcstress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All claims about memory ordering. */
@Tag("deep")
@Tag("long")
class ClaimsTest {
    private static Jcstress.Outcome all;

    @BeforeAll
    static void runAll() throws Exception {
        all = Jcstress.runClaims();
    }

    private static List<String> claims() {
        return Jcstress.claims();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("claims")
    void claim_underEveryMixOfCompilers_holds(String name) {
        assertThat(all.ran(name)).as("%s ran; %s", name, all.log()).isTrue();
        assertThat(all.failed(name)).as(all.log()).isFalse();
    }

    @Test
    void claims_together_endWell() {
        assertThat(claims()).hasSizeGreaterThan(49);
        assertThat(all.status()).as(all.log()).isZero();
    }
}

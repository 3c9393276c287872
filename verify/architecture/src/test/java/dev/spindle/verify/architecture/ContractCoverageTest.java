// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.architecture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every sentence of the contract has a test whose name starts with its number: {@code k3_submitsOfOneThread_runInOrder}. */
class ContractCoverageTest {
    private static final List<String> CONTRACT = List.of(
            "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "L1", "L2", "L3", "F1", "F2", "F3", "F4", "F5", "N1", "N2",
            "T1", "T2", "T3", "T4", "T5", "T6", "S1", "S2", "P1", "A1", "A2", "D1", "M1", "M2", "B1", "B2", "B3", "B4",
            "B5", "H1", "H2", "H3", "H4", "H5", "H6", "H7");
    /** A test annotation, then up to the first {@code void} whatever else the method is annotated with. */
    private static final Pattern TEST_METHOD = Pattern.compile(
            "@(?:Test|ParameterizedTest|RepeatedTest)\\b(?:(?!\\bvoid\\b).)*+void\\s+([a-z]\\d+)_\\w+\\s*\\(",
            Pattern.DOTALL);

    @Test
    void everySentenceOfTheContract_inTheTests_isNamed() {
        List<Source> tests = Repository.here().sources().stream()
                .filter(source -> source.path().startsWith("core/src/test/")
                        || source.path().startsWith("messaging/src/test/")
                        || source.path().startsWith("flow/src/test/")
                        || source.path().startsWith("gateway/src/test/"))
                .collect(Collectors.toList());
        Set<String> named = named(tests);

        assertThat(CONTRACT.stream().filter(sentence -> !named.contains(sentence)))
                .as("sentences of the contract without a test")
                .isEmpty();
    }

    @Test
    void named_methodsWithoutTestOrNumber_doNotCount() {
        Source source = new Source(
                "core/src/test/java/dev/spindle/ATest.java",
                List.of(
                        "    @Test",
                        "    @Tag(\"stress\")",
                        "    void k1_nullKey_isRefused() {}",
                        "    @ParameterizedTest(name = \"{0}\")",
                        "    void f3_full_isRejected(int bound) {}",
                        "    void k2_helper() {}",
                        "    @Test",
                        "    void order_k3_isKept() {}"));

        assertThat(named(List.of(source))).containsExactly("F3", "K1");
    }

    private static Set<String> named(List<Source> tests) {
        Set<String> named = new TreeSet<>();
        for (Source test : tests) {
            Matcher method = TEST_METHOD.matcher(test.text());
            while (method.find()) {
                named.add(requireNonNull(method.group(1)).toUpperCase(Locale.ROOT));
            }
        }
        return named;
    }
}

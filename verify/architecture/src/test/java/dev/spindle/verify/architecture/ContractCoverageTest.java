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

/**
 * Every promise of docs/promises.md has a test whose name starts with its number: {@code
 * k3_submitsOfOneThread_runInOrder}.
 */
class ContractCoverageTest {
    private static final Pattern PROMISE = Pattern.compile("^\\| ([A-Z]\\d+) \\|");

    /** A test annotation, other annotations and modifiers, and the first {@code void}. */
    private static final Pattern TEST_METHOD = Pattern.compile(
            "@(?:Test|ParameterizedTest|RepeatedTest)\\b(?:(?!\\bvoid\\b).)*+void\\s+([a-z]\\d+)_\\w+\\s*\\(",
            Pattern.DOTALL);

    @Test
    void everyPromise_inTheTests_isNamed() {
        Repository repository = Repository.here();
        List<String> promises = promises(repository);
        List<Source> tests = repository.sources().stream()
                .filter(source -> source.path().startsWith("core/src/test/")
                        || source.path().startsWith("messaging/src/test/")
                        || source.path().startsWith("flow/src/test/")
                        || source.path().startsWith("gateway/src/test/")
                        || source.path().startsWith("kafka/src/test/"))
                .collect(Collectors.toList());
        Set<String> named = named(tests);

        assertThat(promises).hasSizeGreaterThan(30).doesNotHaveDuplicates();
        assertThat(promises.stream().filter(promise -> !named.contains(promise)))
                .as("promises without a test")
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

    private static List<String> promises(Repository repository) {
        return repository.documents().stream()
                .filter(document -> document.path().equals("docs/promises.md"))
                .flatMap(document -> document.lines().stream())
                .map(PROMISE::matcher)
                .filter(Matcher::find)
                .map(promise -> requireNonNull(promise.group(1)))
                .collect(Collectors.toList());
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

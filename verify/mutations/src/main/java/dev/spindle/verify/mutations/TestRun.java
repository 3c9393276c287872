// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs JUnit tests until the first failure. The exit status is that of a {@link Verdict}. This is the main class of a
 * child process.
 */
final class TestRun implements TestExecutionListener {
    private int passed;

    private TestRun() {}

    /** Runs the test classes or methods ({@code class#method}) that the arguments name. */
    public static void main(String[] arguments) throws ClassNotFoundException {
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (String name : arguments) {
            selectors.addAll(selectors(name));
        }
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
        TestRun run = new TestRun();
        LauncherFactory.create().execute(request, run);
        end(run.passed == 0 ? Verdict.NOTHING_RAN : Verdict.SURVIVED);
    }

    private static List<? extends DiscoverySelector> selectors(String name) throws ClassNotFoundException {
        String[] parts = name.split("#", -1);
        Class<?> type = Class.forName(parts[0]);
        if (parts.length == 1) {
            return List.of(DiscoverySelectors.selectClass(type));
        }
        List<? extends DiscoverySelector> methods = Stream.of(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(parts[1]))
                .map(method -> DiscoverySelectors.selectMethod(type, method))
                .toList();
        if (methods.isEmpty()) {
            throw new IllegalArgumentException("there is no test " + name);
        }
        return methods;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
            passed += test.isTest() ? 1 : 0;
        } else if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            System.out.println("failed: " + test.getUniqueId());
            result.getThrowable().ifPresent(failure -> failure.printStackTrace(System.out));
            // A test engine fails if it does not find a test. The process ends at the first failure, because later
            // tests may hang.
            end(test.getParentId().isEmpty() ? Verdict.NOTHING_RAN : Verdict.KILLED);
        }
    }

    /** Halts the process, because threads of a pool with a fault may never end. */
    private static void end(Verdict verdict) {
        System.out.flush();
        Runtime.getRuntime().halt(verdict.exit());
    }
}

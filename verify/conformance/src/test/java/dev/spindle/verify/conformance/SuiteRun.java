// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.conformance;

import java.util.Set;
import java.util.TreeSet;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A run of the tests of a class apart from those of the build, with the methods that failed. */
final class SuiteRun implements TestExecutionListener {
    private final Set<String> failed = new TreeSet<>();
    private int passed;

    private SuiteRun() {}

    static SuiteRun of(Class<?> tests) {
        LauncherConfig alone = LauncherConfig.builder()
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(tests))
                .build();
        SuiteRun run = new SuiteRun();
        LauncherFactory.create(alone).execute(request, run);
        return run;
    }

    /** Returns the names of the test methods of which at least one invocation failed. */
    Set<String> failed() {
        return failed;
    }

    /** Returns the number of invocations that passed. */
    int passed() {
        return passed;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String name = test.getSource()
                .map(source -> source instanceof MethodSource method ? method.getMethodName() : source.toString())
                .orElse(test.getDisplayName());
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            failed.add(name);
        } else if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
            passed++;
        }
    }
}

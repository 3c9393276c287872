// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.mutations;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintWriter;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs one test class, or one method of it, and exits with what {@link Verdict} says. The main class of a child process. */
final class TestRun {
    private TestRun() {}

    /** Runs the class, or {@code class#method}, that is named by the first argument. */
    public static void main(String[] arguments) {
        String name = arguments[0];
        int hash = name.indexOf('#');
        DiscoverySelector selector = hash < 0
                ? DiscoverySelectors.selectClass(name)
                : DiscoverySelectors.selectMethod(name.substring(0, hash), name.substring(hash + 1));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selector)
                .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        summary.printFailuresTo(new PrintWriter(System.out, true, UTF_8), 10);
        Verdict verdict;
        if (summary.getTotalFailureCount() > 0) {
            verdict = Verdict.KILLED;
        } else {
            verdict = summary.getTestsSucceededCount() == 0 ? Verdict.NOTHING_RAN : Verdict.SURVIVED;
        }
        Runtime.getRuntime().halt(verdict.exit()); // threads of a broken pool may go on for ever
    }
}

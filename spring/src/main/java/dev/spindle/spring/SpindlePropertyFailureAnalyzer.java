// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a refused property as Boot reports its own, without a stack trace. */
final class SpindlePropertyFailureAnalyzer extends AbstractFailureAnalyzer<SpindlePropertyException> {
    @Override
    protected FailureAnalysis analyze(Throwable failure, SpindlePropertyException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.remedy(), failure);
    }
}

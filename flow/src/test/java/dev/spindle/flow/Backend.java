// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.flow;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A backend whose answers are given by the test. */
final class Backend implements Call<String, String> {
    final List<String> requests = new CopyOnWriteArrayList<>();
    final List<Attempt> attempts = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<String>> stages = new CopyOnWriteArrayList<>();

    @Override
    public CompletionStage<String> call(String request, Attempt attempt) {
        CompletableFuture<String> stage = new CompletableFuture<>();
        requests.add(request);
        attempts.add(attempt);
        stages.add(stage);
        return stage;
    }

    int calls() {
        return stages.size();
    }

    CompletableFuture<String> stage(int call) {
        return stages.get(call);
    }

    @SuppressWarnings("NullAway") // null is an answer too
    void answer(int call, @Nullable String value) {
        stage(call).complete(value);
    }

    void fail(int call, Throwable failure) {
        stage(call).completeExceptionally(failure);
    }
}

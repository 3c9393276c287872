// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Requests of one tenant over many connections at once. */
final class HttpClients {
    static final int REQUESTS = 200;

    private HttpClients() {}

    /** Sends all requests, waits for their answers, and returns how many are not "ok". */
    static long failures(int port) {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
                .header("Tenant", "a")
                .build();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int number = 0; number < REQUESTS; number++) {
            answers.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
        }
        return answers.stream()
                .map(CompletableFuture::join)
                .filter(answer -> answer.statusCode() != 200 || !answer.body().equals("ok"))
                .count();
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.config;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * The active check of a backend's instances: a GET of a path, whose answer must have a status from 200 to 399.
 *
 * @param path the path, without the base path of the backend
 * @param every the time from the end of a check to the next check
 * @param limit the time that a check may take
 * @param fall the number of failed checks in a row after which an instance is down
 * @param rise the number of passed checks in a row after which an instance is up again
 */
public record CheckConfig(String path, Duration every, Duration limit, int fall, int rise) {
    /** The default values; the path has to be given. */
    public static final CheckConfig DEFAULT = new CheckConfig("/", Duration.ofSeconds(2), Duration.ofSeconds(1), 3, 2);

    /**
     * Creates a check.
     *
     * @throws IllegalArgumentException if the path does not begin with a slash or has characters that no path has, or
     *     another value is out of range
     */
    public CheckConfig {
        boolean plain = requireNonNull(path, "path").chars().allMatch(c -> c > ' ' && c < 127 && c != '#');
        if (!path.startsWith("/") || !plain) {
            throw new IllegalArgumentException("'" + path + "' is no path of a check; write for example /health");
        }
        every = ArgumentChecks.positive("every", every);
        limit = ArgumentChecks.positive("limit", limit);
        fall = (int) ArgumentChecks.within("fall", fall, 1, 100);
        rise = (int) ArgumentChecks.within("rise", rise, 1, 100);
    }
}

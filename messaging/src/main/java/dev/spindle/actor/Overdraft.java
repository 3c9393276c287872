// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.List;

/**
 * A report of messages that were admitted to full mailboxes, since the actors that sent them waited for each other
 * and would have waited for ever.
 *
 * @param path the names of these actors: each waits for the next, and the last for the first
 * @param messages how many were admitted, at most one for each of these actors
 * @param depth how many messages waited in the deepest of the mailboxes that got one
 */
public record Overdraft(List<String> path, int messages, int depth) {
    /** Keeps a copy. */
    public Overdraft {
        path = List.copyOf(path);
    }

    String describePath() {
        return String.join(" -> ", path) + " -> " + path.get(0);
    }
}

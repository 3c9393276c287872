// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.actor;

import java.util.List;

/**
 * A report of messages that were admitted to full mailboxes, because the actors that sent them waited for each other.
 *
 * @param path the names of these actors; each waits for the next, and the last for the first
 * @param messages the number of admitted messages, at most one for each of these actors
 * @param depth the number of messages in the deepest of the mailboxes that received one
 */
record Overdraft(List<String> path, int messages, int depth) {
    /** Creates a report with a copy of {@code path}. */
    Overdraft {
        path = List.copyOf(path);
    }

    String describePath() {
        return String.join(" -> ", path) + " -> " + path.get(0);
    }
}

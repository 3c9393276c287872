// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The mailboxes of actors: letters, the senders that wait for room, and the detection of cycles among these senders.
 * The package does not depend on the classes of actors, and is not exported.
 */
@NullMarked
package dev.spindle.actor.internal;

import org.jspecify.annotations.NullMarked;

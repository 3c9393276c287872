// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The ledger of what is done, which knows nothing of Kafka's client. Not part of the public face. */
@NullMarked
package dev.spindle.kafka.ledger;

import org.jspecify.annotations.NullMarked;

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ./spindle gateway}: the gateway's own command, and echo servers to call. A module apart from the demo, which
 * is built without Netty.
 */
@NullMarked
package dev.spindle.demo.gateway;

import org.jspecify.annotations.NullMarked;

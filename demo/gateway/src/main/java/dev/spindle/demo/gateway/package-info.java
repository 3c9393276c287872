// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code ./spindle gateway}, with echo servers that the gateway can call. The module is separate from the
 * demo, which is built without Netty.
 */
@NullMarked
package dev.spindle.demo.gateway;

import org.jspecify.annotations.NullMarked;

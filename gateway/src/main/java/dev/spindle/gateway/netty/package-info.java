// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/** The gateway on Netty: connections, requests under way, calls of backends. Nothing of it shows outside the module. */
@NullMarked
package dev.spindle.gateway.netty;

import org.jspecify.annotations.NullMarked;

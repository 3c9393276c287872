// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The configuration of a gateway: where it listens, which backends it calls, and which of them answer which path. All
 * types are immutable except their builders. {@link dev.spindle.gateway.config.GatewayConfig#read(java.nio.file.Path)}
 * reads a file, and names each mistake with its line and column;
 * {@link dev.spindle.gateway.config.GatewayConfig#builder()} is for programs.
 */
@NullMarked
package dev.spindle.gateway.config;

import org.jspecify.annotations.NullMarked;

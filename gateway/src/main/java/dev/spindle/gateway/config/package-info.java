// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The options of a gateway: its addresses, the backends that it calls, and the paths that they answer. All types are
 * immutable except their builders. {@link dev.spindle.gateway.config.Settings#read(java.nio.file.Path)} reads a file,
 * and names each mistake with its line and column.
 */
@NullMarked
package dev.spindle.gateway.config;

import org.jspecify.annotations.NullMarked;

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.spindle.verify.spring;

import org.jspecify.annotations.NullMarked;

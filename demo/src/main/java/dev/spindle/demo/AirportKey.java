// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/** The key of the lane of an airport. A type of its own, so that no airport can share a lane with an aircraft. */
record AirportKey(String code) {}

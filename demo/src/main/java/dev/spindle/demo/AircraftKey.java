// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.demo;

/** The key of the lane of an aircraft. A type of its own, so that no aircraft can share a lane with an airport. */
record AircraftKey(String tail) {}

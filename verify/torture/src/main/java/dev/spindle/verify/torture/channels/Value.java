// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.channels;

/**
 * A value that a sender sends.
 *
 * @param sender the number of the sender, from 0
 * @param number the number of this value among those of its sender, from 0
 */
record Value(int sender, int number) {}

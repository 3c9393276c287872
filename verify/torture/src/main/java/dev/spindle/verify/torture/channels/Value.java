// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.torture.channels;

/**
 * What a sender sends.
 *
 * @param sender which one, from 0
 * @param number counts its values, from 0
 */
record Value(int sender, int number) {}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Spindles in an application of Spring Boot 3.5 or 4.
 *
 * <ul>
 *   <li>properties {@code spindle.pools.<name>.*}: a {@link dev.spindle.Spindle} for each name, as a bean of that name
 *   <li>{@link dev.spindle.spring.KeyedAsync}: methods that run in order per key
 *   <li>{@link dev.spindle.spring.SpindleCustomizer}: options that a property cannot have
 *   <li>an end after web server and consumers, within the close timeout; health, {@code /actuator/spindle}, meters
 * </ul>
 */
@NullMarked
package dev.spindle.spring;

import org.jspecify.annotations.NullMarked;

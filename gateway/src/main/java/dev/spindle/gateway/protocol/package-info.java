// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Rules and forms of HTTP messages, shared by HTTP/1.1 and HTTP/2: decoders that refuse ambiguous messages,
 * the checks of heads and paths, the fields that go on to the next hop, and the deadlines in heads.
 *
 * <p>This package does not depend on connections, routes or backends. Each refusal is a
 * {@link dev.spindle.gateway.protocol.Refusal}, which has the status for the client and the reason for the log.
 */
@NullMarked
package dev.spindle.gateway.protocol;

import org.jspecify.annotations.NullMarked;

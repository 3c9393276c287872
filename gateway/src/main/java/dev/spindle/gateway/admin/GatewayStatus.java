// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.admin;

import dev.spindle.flow.Bulkhead;
import dev.spindle.gateway.backend.Backend;
import dev.spindle.gateway.loop.Connections;
import dev.spindle.gateway.loop.Memory;
import dev.spindle.gateway.metrics.AccessLog;
import dev.spindle.gateway.metrics.GatewayMetrics;
import java.util.Collection;

/** The state of a gateway that health, metrics and the agent check report. All methods may be called by any thread. */
public interface GatewayStatus {
    /** Returns whether a drain has begun. */
    boolean isDraining();

    /** Returns the counts of requests. */
    GatewayMetrics metrics();

    /** Returns the count of the clients' connections. */
    Connections connections();

    /** Returns the limit of the requests under way. */
    Bulkhead gate();

    /** Returns the count of the bytes that are held. */
    Memory memory();

    /** Returns the access log. */
    AccessLog accessLog();

    /** Returns the number of event loops. */
    int eventLoops();

    /** Returns the number of routes for new requests. */
    int routes();

    /** Returns the backends that new requests may call, in the order of the configuration. */
    Collection<Backend> backends();
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.verify.kafka;

import java.util.Map;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;

/** The ways in which a group shares out its partitions. */
enum Assignment {
    /** Each change revokes all partitions. */
    RANGE("partition.assignment.strategy", RangeAssignor.class.getName()),
    /** A change revokes the partitions that move. */
    COOPERATIVE("partition.assignment.strategy", CooperativeStickyAssignor.class.getName()),
    /** The broker assigns, and a change concerns those members alone whose partitions move. */
    BROKER("group.protocol", "consumer"),
    /** Members with names, which keep their partitions while they are away for a short time. */
    STATIC("partition.assignment.strategy", RangeAssignor.class.getName());

    private final String property;
    private final String value;

    Assignment(String property, String value) {
        this.property = property;
        this.value = value;
    }

    /** Returns the property of consumers that makes the difference. */
    Map<String, String> properties() {
        return Map.of(property, value);
    }

    /** Returns true if members have names. */
    boolean named() {
        return this == STATIC;
    }

    /** Returns true if the time-outs of a session are the broker's and not the consumer's. */
    boolean sessionsOfTheBroker() {
        return this == BROKER;
    }
}

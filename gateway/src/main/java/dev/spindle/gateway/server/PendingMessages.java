// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.gateway.server;

import dev.spindle.gateway.loop.ConnectionLoop;
import dev.spindle.gateway.loop.Memory;
import io.netty.handler.codec.http.HttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;

/**
 * Messages of later requests of a connection, which wait in their order until the request before them is answered.
 *
 * <p>Confined to the event loop of the connection. This object owns the messages until they are removed or released.
 */
final class PendingMessages {
    /*
     * PendingMessages-1  `cost` is taken from the memory, and given back when no message waits. While a message waits,
     *                    `cost` may include messages that were removed.
     */
    /** The approximate bytes of a waiting message besides its content. Not measured. */
    private static final int COST = 1 << 10;

    private final Memory memory;
    private final ConnectionLoop loop;
    private final ArrayDeque<Object> messages = new ArrayDeque<>(0);
    private long cost;

    PendingMessages(Memory memory, ConnectionLoop loop) {
        this.memory = memory;
        this.loop = loop;
    }

    /** Takes over a message; {@link #charge} must follow. */
    void add(Object message) {
        messages.add(message);
    }

    /** Takes the cost of a message from the memory. Returns false if memory is short. */
    boolean charge(Object message) {
        int content = message instanceof HttpContent body ? body.content().readableBytes() : 0;
        cost += content + COST;
        return memory.take(loop, content + COST);
    }

    /** Returns whether no message waits. */
    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** Returns the first message, which then belongs to the caller. At least one message must wait. */
    Object remove() {
        return messages.remove();
    }

    /** Gives back the cost of the messages, if none waits. */
    void settle() {
        if (messages.isEmpty()) {
            memory.give(cost); // PendingMessages-1
            cost = 0;
        }
    }

    /** Releases all messages. */
    void release() {
        messages.forEach(ReferenceCountUtil::release);
        messages.clear();
        settle();
    }
}

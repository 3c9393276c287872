// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A browser that shows the page. It has a place for one frame: a frame that was not sent when the next one comes is
 * skipped. So a slow viewer holds up neither the ticker nor other viewers.
 */
final class Viewer {
    /*
     * All fields are guarded by this object's monitor. The ticker calls offer() and isStalled(); the thread of the
     * request calls serve().
     */
    private Frames.@Nullable Frame next;
    private boolean ended;
    private long sending; // the time at which the current write began, by Uptime; 0 for none
    private long skipped;
    private final Runnable interrupt;

    /** Creates a viewer; {@code interrupt} ends a write that does not end. */
    Viewer(Runnable interrupt) {
        this.interrupt = interrupt;
    }

    /** Puts a frame into the place. */
    synchronized void offer(Frames.Frame frame) {
        skipped += next == null ? 0 : 1;
        next = frame;
        notifyAll();
    }

    /** Ends {@link #serve}. */
    synchronized void end() {
        ended = true;
        notifyAll();
        if (sending != 0) {
            interrupt.run();
        }
    }

    /** Ends this viewer if its write has lasted for {@code most} milliseconds at the time {@code now}. */
    synchronized void endIfStalled(long now, long most) {
        if (sending != 0 && now - sending >= most) {
            end();
        }
    }

    /** Returns the number of frames that were not sent. */
    synchronized long skipped() {
        return skipped;
    }

    /** Sends {@code hello} and then frames, until the end, or until a write fails because the browser has left. */
    void serve(OutputStream out, byte[] hello, Cost cost) throws IOException, InterruptedException {
        long mark = cost.ownNanos();
        long keys = 0;
        out.write(hello);
        out.flush();
        for (Frames.Frame frame = take(); frame != null; frame = take()) {
            if (frame.number() != keys) {
                keys = frame.number();
                frame.writeKeys(out);
            }
            frame.writeEvent(out);
            out.flush();
            mark = cost.add(mark);
        }
    }

    private synchronized Frames.@Nullable Frame take() throws InterruptedException {
        sending = 0;
        while (next == null && !ended) {
            wait();
        }
        Frames.Frame frame = ended ? null : next;
        next = null;
        sending = frame == null ? 0 : Math.max(1, Uptime.millis());
        return frame;
    }
}

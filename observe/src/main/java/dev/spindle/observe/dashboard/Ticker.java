// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The thread that makes the frames of a page. The first viewer starts the thread, and the last one ends it.
 * Thread-safe.
 */
final class Ticker {
    /** The maximum number of viewers. Not measured. */
    static final int MOST_VIEWERS = 32;

    /** The maximum pause after a slow frame; the page calls a process silent after 2.5 s. Not measured. */
    private static final long MOST_PAUSE_MILLIS = 1_000;

    private static final System.Logger LOG = System.getLogger("dev.spindle");

    private final String name;
    private final Frames frames;
    private final Settings settings;
    private final Cost cost;
    private final Set<Viewer> viewers = new LinkedHashSet<>(); // guarded by this object's monitor, as are the next two
    private @Nullable Thread thread;
    private boolean closed;
    private boolean reported; // used by the thread alone

    Ticker(String name, Frames frames, Settings settings, Cost cost) {
        this.name = name;
        this.frames = frames;
        this.settings = settings;
        this.cost = cost;
    }

    /** Adds a viewer. Returns false if the page is closed, or has the maximum number of viewers. */
    synchronized boolean join(Viewer viewer) {
        if (closed || viewers.size() == MOST_VIEWERS) {
            return false;
        }
        viewers.add(viewer);
        if (thread == null) {
            thread = new Thread(null, this::run, name, 0, false);
            thread.setDaemon(true);
            thread.start();
        }
        return true;
    }

    synchronized void leave(Viewer viewer) {
        viewers.remove(viewer);
        notifyAll();
    }

    /** Ends all viewers and the thread. */
    void close() {
        List<Viewer> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(viewers);
            viewers.clear();
            notifyAll();
        }
        all.forEach(Viewer::end);
    }

    synchronized List<Viewer> viewers() {
        return new ArrayList<>(viewers);
    }

    /** Returns the thread, or null while there is no viewer. */
    synchronized @Nullable Thread thread() {
        return thread;
    }

    private void run() {
        long mark = cost.ownNanos();
        frames.startAnew();
        long due = Uptime.millis();
        for (; ; ) {
            List<Viewer> all = viewersOrEnd();
            if (all.isEmpty()) {
                return;
            }
            long pause = settings.tickMillis();
            try {
                long late = Math.max(0, Uptime.millis() - due);
                Frames.Frame frame = frames.make(all.size(), late);
                long duty = Math.min(MOST_PAUSE_MILLIS, settings.duty() * frame.took() / 1_000_000);
                pause = Math.max(pause, duty);
                all.forEach(viewer -> viewer.offer(frame));
            } catch (Throwable t) { // the page goes on with the next frame
                report(t);
            }
            long now = Uptime.millis();
            all.forEach(viewer -> viewer.endIfStalled(now, settings.stalledMillis()));
            mark = cost.add(mark);
            due = Uptime.millis() + pause;
            rest(due);
        }
    }

    /** Returns the viewers. If there is none, forgets the thread, which then ends. */
    private synchronized List<Viewer> viewersOrEnd() {
        thread = viewers.isEmpty() ? null : thread;
        return new ArrayList<>(viewers);
    }

    private synchronized void rest(long due) {
        try {
            for (long left = due - Uptime.millis(); left > 0 && !viewers.isEmpty(); left = due - Uptime.millis()) {
                wait(left);
            }
        } catch (InterruptedException e) {
            return; // only an application that interrupts all threads does this; the next frame comes earlier
        }
    }

    private void report(Throwable t) {
        if (!reported) {
            reported = true;
            LOG.log(System.Logger.Level.WARNING, name + " could not make a frame; it reports this once", t);
        }
    }
}

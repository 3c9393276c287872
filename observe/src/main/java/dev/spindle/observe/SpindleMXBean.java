// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe;

import dev.spindle.Activity;
import dev.spindle.SpindleStats;
import dev.spindle.WaitEdge;

/**
 * The counts of a spindle for JMX, and what it does now. {@link SpindleManagement} registers it. The attributes are the
 * counts of {@link SpindleStats}. Attributes that a client reads one after the other come from one reading, until the
 * client reads one of them again.
 */
public interface SpindleMXBean {
    /** Returns the name of the spindle. */
    String getName();

    /** Returns {@link SpindleStats#accepted}. */
    long getAccepted();

    /** Returns {@link SpindleStats#completed}. */
    long getCompleted();

    /** Returns {@link SpindleStats#failed}. */
    long getFailed();

    /** Returns {@link SpindleStats#rejected}. */
    long getRejected();

    /** Returns {@link SpindleStats#dropped}. */
    long getDropped();

    /** Returns {@link SpindleStats#superseded}. */
    long getSuperseded();

    /** Returns {@link SpindleStats#pending}. */
    long getPending();

    /** Returns {@link SpindleStats#running}. */
    int getRunning();

    /** Returns {@link SpindleStats#ready}. */
    int getReady();

    /** Returns {@link SpindleStats#keys}. */
    int getKeys();

    /** Returns {@link SpindleStats#threads}. */
    int getThreads();

    /** Returns {@link SpindleStats#idleThreads}. */
    int getIdleThreads();

    /** Returns {@link SpindleStats#blockedThreads}. */
    int getBlockedThreads();

    /** Returns {@link SpindleStats#peakThreads}. */
    int getPeakThreads();

    /** Returns {@link SpindleStats#coreThreads}. */
    int getCoreThreads();

    /** Returns {@link SpindleStats#maxThreads}. */
    int getMaxThreads();

    /** Returns {@link SpindleStats#wakeUps}. */
    long getWakeUps();

    /** Returns {@link SpindleStats#steals}. */
    long getSteals();

    /** Returns {@link SpindleStats#growthEpisodes}. */
    long getGrowthEpisodes();

    /**
     * Returns the {@code n} lanes that have been busy longest, the longest first, each as the text of its
     * {@link Activity}. Takes time in proportion to the number of lanes.
     */
    String[] busiest(int n);

    /** Returns what runs now, the longest first, each as the text of its {@link Activity}. */
    String[] running();

    /** Returns the current waits, the longest first, each as the text of its {@link WaitEdge}. */
    String[] waits();
}

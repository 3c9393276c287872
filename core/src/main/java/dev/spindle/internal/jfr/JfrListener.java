// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.jfr;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Detects the first use of Java Flight Recorder. Loaded only where the module jdk.jfr may be present. */
final class JfrListener {
    private static final FlightRecorderListener LISTENER = new Listener();

    private JfrListener() {}

    static boolean isInitialized() {
        return FlightRecorder.isInitialized();
    }

    static void listen() {
        try {
            FlightRecorder.addListener(LISTENER);
        } catch (Throwable t) {
            return; // no memory, or a security manager: workers that start later look for themselves
        }
    }

    static void listenNoMore() {
        try {
            boolean unused = FlightRecorder.removeListener(LISTENER);
        } catch (Throwable t) {
            return; // as above
        }
    }

    private static final class Listener implements FlightRecorderListener {
        @Override
        public void recorderInitialized(FlightRecorder recorder) {
            JfrEvents.begin();
        }
    }
}

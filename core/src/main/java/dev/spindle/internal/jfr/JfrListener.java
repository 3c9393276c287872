// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.internal.jfr;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Detects the first use of Java Flight Recorder. Throws a {@link LinkageError} if the module jdk.jfr is absent. */
final class JfrListener {
    private JfrListener() {}

    static boolean isInitialized() {
        return FlightRecorder.isInitialized();
    }

    static void listen() {
        try {
            FlightRecorder.addListener(Listener.INSTANCE);
        } catch (Throwable t) {
            return; // for example, a security manager refused; each new worker checks the recorder
        }
    }

    static void listenNoMore() {
        try {
            boolean unused = FlightRecorder.removeListener(Listener.INSTANCE);
        } catch (Throwable t) {
            return; // the listener stays
        }
    }

    /** A nested class, so that a program that ends before {@link #listen} does not load this class. */
    private static final class Listener implements FlightRecorderListener {
        static final FlightRecorderListener INSTANCE = new Listener();

        @Override
        public void recorderInitialized(FlightRecorder recorder) {
            JfrEvents.begin();
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.kafka.testkit;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;

/** The main class of the broker's JVM, which ends with the JVM that started it. */
final class BrokerMain {
    /** The exit status after the end of the other JVM. */
    private static final int ORPHANED = 3;

    private BrokerMain() {}

    /**
     * Runs a broker until it is stopped. The arguments are the file with its properties and, at its first start, the id
     * of its cluster, for which its directory is prepared. The standard input is a pipe from the JVM that started this
     * one, and is at its end when that JVM ends, in whatever way.
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread watch = new Thread(BrokerMain::awaitOrphaned, "parent-watch");
        watch.setDaemon(true);
        watch.start();
        String[] properties = {arguments[0]};
        if (arguments.length > 1) {
            format(arguments[0], arguments[1]);
        }
        Class.forName("kafka.Kafka").getMethod("main", String[].class).invoke(null, (Object) properties);
    }

    /** Does what the storage tool does in a JVM of its own, whose start takes as long as the broker's. */
    private static void format(String properties, String cluster) throws ReflectiveOperationException {
        String[] command = {"format", "--standalone", "--ignore-formatted", "-t", cluster, "-c", properties};
        int status = 1;
        try {
            Object ended = Class.forName("kafka.tools.StorageTool")
                    .getMethod("execute", String[].class, PrintStream.class)
                    .invoke(null, command, System.out);
            status = ended instanceof Integer code ? code : status;
        } catch (InvocationTargetException e) {
            System.out.println("the storage cannot be formatted: " + e.getCause());
        }
        if (status != 0) {
            System.exit(status);
        }
    }

    private static void awaitOrphaned() {
        try {
            while (System.in.read() >= 0) {
                // nothing is sent
            }
        } catch (IOException e) {
            // as at the end
        }
        Runtime.getRuntime().halt(ORPHANED);
    }
}

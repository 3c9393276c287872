// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.observe.dashboard;

import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures what the page costs: the processor time of its threads, as a share of one processor, while it is closed to
 * all viewers and while it has some. Not a test. Arguments: the number of keys, the number of keys that have a task
 * waiting, tasks a second, viewers, and seconds of a window.
 */
final class PageCost {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private PageCost() {}

    public static void main(String[] args) throws Exception {
        int keys = Integer.parseInt(args[0]);
        int waiting = Integer.parseInt(args[1]);
        int rate = Integer.parseInt(args[2]);
        int viewers = Integer.parseInt(args[3]);
        int seconds = Integer.parseInt(args[4]);
        CountDownLatch release = new CountDownLatch(1);
        Spindle spindle = Spindle.builder()
                .name("cost")
                .keyKeepAlive(java.time.Duration.ofHours(1))
                .build();
        Keyed<Integer> space = spindle.keyed("orders");
        for (int i = 0; i < keys; i++) {
            if (i < waiting) {
                space.at(i).pause();
            }
            space.execute(i, () -> {});
        }
        AtomicLong next = new AtomicLong();
        if (rate > 0) {
            Future<?> unused = spindle.scheduleAtFixedRate(
                    () -> {
                        for (int i = 0; i < rate / 200; i++) {
                            space.execute(
                                    waiting + (int) (next.getAndIncrement() % Math.max(1, keys - waiting)), () -> {});
                        }
                    },
                    0,
                    5,
                    TimeUnit.MILLISECONDS);
        }
        Dashboard page = Dashboard.open(spindle);
        pause(release, 5);
        report("no viewer", seconds, release, new AtomicLong());
        AtomicLong bytes = new AtomicLong();
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < viewers; i++) {
            sockets.add(watch(page, bytes));
        }
        pause(release, 15);
        for (int window = 0; window < 3; window++) {
            report(viewers + " viewers", seconds, release, bytes);
        }
        for (Socket socket : sockets) {
            socket.close();
        }
        page.close();
        List<Runnable> unused = spindle.shutdownNow();
    }

    private static void pause(CountDownLatch never, int seconds) throws InterruptedException {
        boolean unused = never.await(seconds, TimeUnit.SECONDS);
    }

    private static Socket watch(Dashboard page, AtomicLong bytes) throws Exception {
        Socket socket = new Socket(page.uri().getHost(), page.uri().getPort());
        socket.getOutputStream()
                .write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        InputStream in = socket.getInputStream();
        Thread reader = new Thread(
                () -> {
                    byte[] buffer = new byte[65_536];
                    try {
                        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                            bytes.addAndGet(read);
                        }
                    } catch (java.io.IOException e) {
                        return; // closed
                    }
                },
                "reader");
        reader.setDaemon(true);
        reader.start();
        return socket;
    }

    private static void report(String what, int seconds, CountDownLatch never, AtomicLong bytes)
            throws InterruptedException {
        long begin = System.nanoTime();
        long ticker = cpu("spindle-page-cost");
        long server = cpu("HTTP-Dispatcher") + cpu("server-timer");
        long sent = bytes.get();
        pause(never, seconds);
        double took = System.nanoTime() - begin;
        System.out.printf(
                "%s: page %.3f %%, HTTP server %.3f %% of a processor, %d bytes a second%n",
                what,
                100 * (cpu("spindle-page-cost") - ticker) / took,
                100 * (cpu("HTTP-Dispatcher") + cpu("server-timer") - server) / took,
                (long) ((bytes.get() - sent) * 1e9 / took));
    }

    private static long cpu(String prefix) {
        long sum = 0;
        for (ThreadInfo info : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (info != null && info.getThreadName().startsWith(prefix)) {
                sum += Math.max(0, THREADS.getThreadCpuTime(info.getThreadId()));
            }
        }
        return sum;
    }
}

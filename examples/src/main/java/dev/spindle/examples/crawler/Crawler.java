// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.crawler;

import dev.spindle.Spindle;
import dev.spindle.channel.Channel;
import dev.spindle.channel.Select;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fetches every page of a simulated web once, with several fetchers and a limited rate. One thread coordinates the
 * fetchers with a select. The select always receives fetched pages. While there is a page to fetch, the select also
 * waits for a permit. With a permit, the select waits for a free fetcher.
 */
final class Crawler {
    private static final int TICKS_PER_SECOND = 100;
    private static final int LINKS = 4;
    private static final Duration TOO_LONG = Duration.ofSeconds(30);

    private final int pages;
    private final int fetchers;
    private final int permitsPerTick;
    private final Channel<Integer> jobs = Channel.rendezvous("jobs");
    private final Channel<List<Integer>> found;
    private final Channel<Boolean> permits;
    private final AtomicLong granted = new AtomicLong();
    private final AtomicIntegerArray fetched;

    // Only the coordinating thread uses these fields.
    private final Queue<Integer> frontier = new ArrayDeque<>();
    private final BitSet known = new BitSet();
    private int underWay;
    private boolean permitted;

    /**
     * @param pages the number of pages, at least 1
     * @param fetchers the number of concurrent fetches, at least 1
     * @param rate the number of fetches per second, at least 100
     */
    Crawler(int pages, int fetchers, int rate) {
        this.pages = pages;
        this.fetchers = fetchers;
        permitsPerTick = rate / TICKS_PER_SECOND;
        found = Channel.buffered("found", fetchers);
        permits = Channel.buffered("permits", permitsPerTick); // holds the permits of at most one tick
        fetched = new AtomicIntegerArray(pages);
    }

    /**
     * @param fetched the number of distinct pages that were fetched
     * @param twice the number of pages that were fetched more than once, which must be 0
     * @param granted the number of permits that were issued
     */
    record Result(int fetched, int twice, long granted) {
        boolean isSound(int expected) {
            return fetched == expected && twice == 0 && granted >= expected;
        }
    }

    Result run() throws InterruptedException {
        return run(step -> {});
    }

    /** Fetches the pages, and tells each step. */
    Result run(Consumer<String> steps) throws InterruptedException {
        try (Spindle spindle = Spindle.create()) {
            List<CompletableFuture<@Nullable Void>> ends = new ArrayList<>();
            for (int i = 0; i < fetchers; i++) {
                ends.add(jobs.forEach(spindle.strand("fetcher-" + i), this::fetch));
            }
            steps.accept(String.format(
                    Locale.ROOT,
                    "%d fetchers wait at a channel without room: a page is handed to a fetcher that is free.",
                    fetchers));
            ScheduledFuture<?> ticks =
                    spindle.scheduleAtFixedRate(this::tick, 0, 1_000 / TICKS_PER_SECOND, TimeUnit.MILLISECONDS);
            steps.accept(String.format(
                    Locale.ROOT, "A timer issues %d permits every %d ms.", permitsPerTick, 1_000 / TICKS_PER_SECOND));
            steps.accept("A select takes what comes first: links of a fetched page, a permit, or a free fetcher.");
            discover(0);
            for (int known = 0; underWay > 0 || !frontier.isEmpty(); ) {
                next();
                if (this.known.cardinality() >= known + Math.max(1, pages / 4)) { // four times in all
                    known = this.known.cardinality();
                    steps.accept(String.format(Locale.ROOT, "%,d pages are known, %d under way.", known, underWay));
                }
            }
            steps.accept("No page is left; the channel is closed, which ends the fetchers.");
            jobs.close();
            ends.forEach(CompletableFuture::join);
            boolean unused = ticks.cancel(false);
        }
        int all = 0;
        int twice = 0;
        for (int page = 0; page < pages; page++) {
            all += fetched.get(page) > 0 ? 1 : 0;
            twice += fetched.get(page) > 1 ? 1 : 0;
        }
        return new Result(all, twice, granted.get());
    }

    /** Waits for the next event and handles it. */
    private void next() throws InterruptedException {
        Select<Boolean> select = Select.<Boolean>biased().receive(found, this::returned);
        Integer page = frontier.peek();
        if (page != null && permitted) {
            select.send(jobs, page, this::handedOut);
        } else if (page != null) {
            select.receive(permits, permit -> permitted = permit);
        }
        select.onTimeout(TOO_LONG, () -> {
                    throw new IllegalStateException("nothing happened for " + TOO_LONG);
                })
                .await();
    }

    private boolean returned(List<Integer> links) {
        underWay--;
        links.forEach(this::discover);
        return true;
    }

    private boolean handedOut() {
        frontier.remove();
        underWay++;
        permitted = false;
        return true;
    }

    private void discover(int page) {
        if (!known.get(page)) {
            known.set(page);
            frontier.add(page);
        }
    }

    // ---------------------------------------------------------------- on the spindle

    private void tick() {
        for (int i = 0; i < permitsPerTick && permits.offer(true); i++) {
            granted.incrementAndGet();
        }
    }

    /** Simulates the fetch of a page, and reports links to later pages and one earlier page. */
    private void fetch(int page) {
        fetched.incrementAndGet(page);
        List<Integer> links = new ArrayList<>();
        for (int i = 1; i <= LINKS; i++) {
            long link = (long) page * LINKS + i;
            if (link < pages) {
                links.add((int) link);
            }
        }
        links.add(page / 2);
        CompletableFuture<@Nullable Void> unused = found.sendAsync(links); // send() throws an exception on a worker
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.market;

import dev.spindle.Spindle;
import dev.spindle.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A feed of quotes that arrive faster than a screen can draw them. Each feed offers its quotes to a conflating
 * {@link Channel}; the deliberately slow screen receives the latest quote of each instrument.
 */
final class MarketFeed {
    private final int instruments;
    private final int feeds;
    private final int quotes;
    private final int work;

    /**
     * @param instruments the number of instruments, each of which one feed quotes
     * @param feeds the number of threads that send quotes
     * @param quotes the number of quotes of each feed
     * @param work the number of atomic increments per quote that the screen performs
     */
    MarketFeed(int instruments, int feeds, int quotes, int work) {
        this.instruments = instruments;
        this.feeds = feeds;
        this.quotes = quotes;
        this.work = work;
    }

    /** A price of an instrument; the quotes of an instrument are numbered from 1. */
    record Quote(int instrument, int number, int cents) {}

    /**
     * @param offered the number of quotes that the feeds offered
     * @param shown the number of quotes that the screen has drawn
     * @param backwards the number of quotes drawn after a later quote of the instrument, which must be 0
     * @param stale the number of instruments whose last drawn quote is not their last quote, which must be 0
     */
    record Result(long offered, long shown, long backwards, long stale) {
        boolean isSound() {
            return backwards == 0 && stale == 0;
        }

        long superseded() {
            return offered - shown;
        }
    }

    Result run() throws InterruptedException {
        return run(step -> {});
    }

    /** Sends and shows the quotes, and tells each step. */
    Result run(Consumer<String> steps) throws InterruptedException {
        Screen screen = new Screen(instruments, work);
        int[] sent = new int[instruments]; // each element is written by one feed
        try (Spindle spindle = Spindle.create()) {
            Channel<Quote> latest = Channel.conflating("quotes", instruments, Quote::instrument);
            CompletableFuture<?> end = latest.forEach(spindle.strand("screen"), screen::draw);
            steps.accept(String.format(
                    Locale.ROOT,
                    "A channel keeps at most one waiting price for each of %,d instruments, the latest.",
                    instruments));
            steps.accept(String.format(
                    Locale.ROOT,
                    "%d feeds send %,d prices each, as fast as they can; a screen, which is slower, draws what waits.",
                    feeds,
                    quotes));
            List<Thread> threads = new ArrayList<>();
            for (int feed = 0; feed < feeds; feed++) {
                int first = feed;
                Thread thread = new Thread(() -> send(latest, first, sent), "feed-" + feed);
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            steps.accept(String.format(
                    Locale.ROOT,
                    "The feeds have ended; prices of %,d instruments wait.",
                    latest.stats().pending()));
            latest.close();
            steps.accept("The channel is closed: no price may come, and what waits is drawn.");
            end.join(); // each quote has been drawn or superseded
        }
        long offered = 0;
        long stale = 0;
        for (int instrument = 0; instrument < instruments; instrument++) {
            offered += sent[instrument];
            stale += screen.shown[instrument] == sent[instrument] ? 0 : 1;
        }
        return new Result(offered, screen.drawn, screen.backwards, stale);
    }

    /** Offers the quotes of one feed, whose instruments are {@code first}, {@code first + feeds} and so on. */
    private void send(Channel<Quote> latest, int first, int[] sent) {
        SplittableRandom random = new SplittableRandom(first);
        int own = (instruments - first + feeds - 1) / feeds;
        for (int i = 0; i < quotes && own > 0; i++) {
            int instrument = first + random.nextInt(own) * feeds;
            latest.offer(new Quote(instrument, ++sent[instrument], random.nextInt(1_000, 100_000)));
        }
    }

    /**
     * The consumer of the quotes. The state is in plain fields, because the channel calls the consumer for one quote at
     * a time.
     */
    private static final class Screen {
        private final int work;
        private final int[] shown;
        private long backwards;
        private long drawn;

        Screen(int instruments, int work) {
            this.work = work;
            shown = new int[instruments];
        }

        @SuppressWarnings("UnnecessaryAsync")
        void draw(Quote quote) {
            int instrument = quote.instrument();
            drawn++;
            backwards += quote.number() > shown[instrument] ? 0 : 1;
            shown[instrument] = quote.number();
            AtomicLong drawing = new AtomicLong(); // the atomic increments are the work
            for (int i = 0; i < work; i++) {
                drawing.incrementAndGet();
            }
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.benchmarks.messages;

import dev.spindle.benchmarks.compare.Figure;
import dev.spindle.benchmarks.compare.Recorder;
import dev.spindle.benchmarks.compare.Subject;
import dev.spindle.benchmarks.compare.Subject.PassSize;
import dev.spindle.benchmarks.compare.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Passes tokens round a ring of members. Each member checks that tokens arrive in the order in which its predecessor
 * sent them.
 */
final class TokenRing implements Subject {
    static final Figure HOP = Figure.less("ns_per_hop", "ns/hop");
    static final int MEMBERS = 1_000;

    private static final int FROM_OUTSIDE = -1;

    private final Crowd crowd;
    private final List<Place> places = new ArrayList<>();
    private final List<Token> tokens = new ArrayList<>();
    private final PassSize hops;
    private CountDownLatch done = new CountDownLatch(0);

    TokenRing(Crowd.Maker maker, int count, int threads) {
        crowd = maker.of(MEMBERS, threads);
        for (int i = 0; i < MEMBERS; i++) {
            places.add(new Place(i));
        }
        for (int i = 0; i < count; i++) {
            tokens.add(new Token(i * MEMBERS / count));
        }
        hops = new PassSize(10_000 / count, 20_000_000 / count);
    }

    @Override
    public void pass(Recorder recorder) throws InterruptedException {
        int each = hops.size();
        CountDownLatch latch = new CountDownLatch(tokens.size());
        done = latch;
        recorder.begin();
        for (Token token : tokens) {
            token.left = each;
            token.number = FROM_OUTSIDE;
            places.get(token.at).member.send(token);
        }
        Waits.await(latch, "tokens were under way");
        hops.took(recorder.end((long) each * tokens.size(), HOP));
        for (Place place : places) {
            recorder.violations(place.wrong);
            place.wrong = 0;
        }
    }

    @Override
    public void close() {
        crowd.close();
    }

    /** A token, whose fields are used by the member that holds it. */
    private static final class Token {
        private int at;
        private int left;
        private int number;

        Token(int at) {
            this.at = at;
        }
    }

    /**
     * A member of the ring. The member's turns use the fields. Between passes the main thread reads and resets
     * {@code wrong}.
     */
    private final class Place {
        private final Crowd.Member member = crowd.member(this::pass);
        private final int at;
        private int received;
        private int sent;
        private long wrong;

        Place(int at) {
            this.at = at;
        }

        private void pass(Object message, Crowd.Turn turn) {
            Token token = (Token) message;
            if (token.number != FROM_OUTSIDE && received++ != token.number) {
                wrong++;
            }
            if (token.left == 0) {
                done.countDown();
                return;
            }
            token.left--;
            token.number = sent++;
            token.at = at + 1 == MEMBERS ? 0 : at + 1;
            turn.tell(places.get(token.at).member, token);
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.examples.philosophers;

import dev.spindle.actor.Actor;
import dev.spindle.actor.ActorContext;
import dev.spindle.actor.ActorRef;
import java.util.List;

/**
 * A philosopher at the table. Two neighbours share a fork and a token. The philosopher that has the token may ask for
 * the fork. A fork becomes dirty when a philosopher eats with it. A philosopher gives a dirty fork to a neighbour that
 * asks, but keeps a clean fork until after the next meal.
 */
final class Philosopher implements Actor<Philosopher.Message> {
    /** The messages of philosophers; {@code right} is true if the fork is on the receiver's right. */
    sealed interface Message permits SitDown, Ask, Give, Talk {}

    record SitDown() implements Message {}

    record Ask(boolean right) implements Message {}

    record Give(boolean right) implements Message {}

    record Talk() implements Message {}

    private final Table table;
    private final int seat;
    private final List<ActorRef<Message>> all;
    private final Side left;
    private final Side right;
    private int mealsLeft;
    private boolean hungry;

    /** The state of the fork and the token shared with one neighbour. */
    private static final class Side {
        final int neighbour;
        final int forkNumber;
        final boolean isRight;
        boolean fork;
        boolean dirty = true;
        boolean token;

        Side(int neighbour, int forkNumber, boolean isRight, boolean fork) {
            this.neighbour = neighbour;
            this.forkNumber = forkNumber;
            this.isRight = isRight;
            this.fork = fork;
            token = !fork;
        }
    }

    Philosopher(Table table, int seat, int seats, List<ActorRef<Message>> all) {
        this.table = table;
        this.seat = seat;
        this.all = all;
        int before = (seat + seats - 1) % seats;
        int after = (seat + 1) % seats;
        left = new Side(before, before, false, seat < before); // at first, the lower number has the fork
        right = new Side(after, seat, true, seat < after);
        mealsLeft = table.meals();
    }

    @Override
    public void receive(Message message, ActorContext<Message> self) {
        if (message instanceof SitDown) {
            talk(self);
            hungry = mealsLeft > 0;
            if (!hungry) {
                table.ended();
            }
        } else if (message instanceof Talk) {
            table.ended();
        } else if (message instanceof Ask ask) {
            Side side = ask.right() ? right : left;
            side.token = true;
        } else if (message instanceof Give give) {
            Side side = give.right() ? right : left;
            side.fork = true;
            side.dirty = false;
        }
        act(self);
    }

    /** Gives forks, eats and asks for forks, as the rules permit. */
    private void act(ActorContext<Message> self) {
        giveIfAsked(left, self);
        giveIfAsked(right, self);
        if (hungry && left.fork && right.fork) {
            eat();
            hungry = false;
            self.tell(self.ref(), new SitDown());
            giveIfAsked(left, self);
            giveIfAsked(right, self);
        }
        if (hungry) {
            request(left, self);
            request(right, self);
        }
    }

    private void giveIfAsked(Side side, ActorContext<Message> self) {
        if (side.fork && side.dirty && side.token) {
            side.fork = false;
            self.tell(all.get(side.neighbour), new Give(!side.isRight));
        }
    }

    private void request(Side side, ActorContext<Message> self) {
        if (!side.fork && side.token) {
            side.token = false;
            self.tell(all.get(side.neighbour), new Ask(!side.isRight));
        }
    }

    private void talk(ActorContext<Message> self) {
        for (int i = 0; i < table.words(); i++) {
            self.tell(all.get(left.neighbour), new Talk());
        }
    }

    private void eat() {
        use(left.forkNumber, 1);
        use(right.forkNumber, 1);
        table.eaten.incrementAndGet();
        mealsLeft--;
        left.dirty = true;
        right.dirty = true;
        use(left.forkNumber, -1);
        use(right.forkNumber, -1);
    }

    private void use(int fork, int change) {
        if (table.forksInUse.addAndGet(fork, change) > 1) {
            table.shared.incrementAndGet();
        }
    }

    @Override
    public String toString() {
        return "philosopher " + seat;
    }
}

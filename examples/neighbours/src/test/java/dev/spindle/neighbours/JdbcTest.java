// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.spindle.Keyed;
import dev.spindle.Spindle;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class JdbcTest {
    private static final int ACCOUNTS = 16;
    private static final int DEPOSITS = 20;
    private static final int CONNECTIONS = 4;

    @TempDir
    private static Path folder = Path.of("");

    private static @Nullable PostgresServer server;
    private static HikariDataSource connections = new HikariDataSource();

    @BeforeAll
    static void start() throws Exception {
        Optional<Path> programs = PostgresServer.programs();
        assumeTrue(programs.isPresent(), "PostgreSQL is not installed: apt-get install postgresql");
        server = PostgresServer.start(programs.get(), folder);
        connections.setJdbcUrl(server.url());
        connections.setMaximumPoolSize(CONNECTIONS);
    }

    @AfterAll
    static void stop() {
        connections.close();
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void empty() throws SQLException {
        update("DROP TABLE IF EXISTS balance");
        update("DROP TABLE IF EXISTS journal");
        update("CREATE TABLE balance (account INT PRIMARY KEY, amount INT NOT NULL)");
        update("CREATE TABLE journal (entry SERIAL, account INT, deposit INT)");
        update("INSERT INTO balance SELECT account, 0 FROM generate_series(0, " + (ACCOUNTS - 1) + ") AS account");
    }

    @Test
    void deposits_keyedByAccount_areAllCountedAndInOrderWithoutLocksOfRows() throws Exception {
        try (Spindle spindle = Spindle.create()) {
            // snippet: jdbc
            Keyed<Integer> accounts = spindle.<Integer>keyedBuilder("accounts")
                    .maxConcurrency(connections.getMaximumPoolSize()) // no task waits for a connection
                    .build();
            // end
            assertThat(depositAll(accounts::at)).isLessThanOrEqualTo(CONNECTIONS);
        }

        assertThat(balances()).hasSize(ACCOUNTS).containsOnly(DEPOSITS);
        assertThat(outOfOrder()).isZero();
    }

    @Test
    void control_plainPool_losesDeposits() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(16);
        assertThat(depositAll(account -> pool)).isGreaterThan(CONNECTIONS); // threads that wait for connections
        pool.shutdown();

        assertThat(balances()).anyMatch(balance -> balance < DEPOSITS);
    }

    /** Hands over the deposits of all accounts in turn, waits for them, and returns how many ran at once at most. */
    private static int depositAll(IntFunction<Executor> executors) {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int deposit = 0; deposit < DEPOSITS; deposit++) {
            for (int account = 0; account < ACCOUNTS; account++) {
                int number = deposit;
                int to = account;
                all.add(CompletableFuture.runAsync(
                        () -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            deposit(to, number);
                            running.decrementAndGet();
                        },
                        executors.apply(account)));
            }
        }
        all.forEach(CompletableFuture::join);
        return most.get();
    }

    /** Reads the balance and writes it, as programs with a mapper of objects do, at READ COMMITTED. */
    private static void deposit(int account, int number) {
        try (Connection connection = connections.getConnection()) {
            connection.setAutoCommit(false);
            int amount = query(connection, "SELECT amount FROM balance WHERE account = " + account)
                    .get(0);
            update(connection, "UPDATE balance SET amount = " + (amount + 1) + " WHERE account = " + account);
            update(connection, "INSERT INTO journal (account, deposit) VALUES (" + account + ", " + number + ")");
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Integer> balances() throws SQLException {
        try (Connection connection = connections.getConnection()) {
            return query(connection, "SELECT amount FROM balance");
        }
    }

    /** Returns how many entries of the journal come after a later deposit of their account. */
    private static int outOfOrder() throws SQLException {
        try (Connection connection = connections.getConnection()) {
            return query(
                            connection,
                            "SELECT count(*) FROM journal a JOIN journal b ON a.account = b.account"
                                    + " AND a.entry > b.entry AND a.deposit < b.deposit")
                    .get(0);
        }
    }

    private static List<Integer> query(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            List<Integer> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getInt(1));
            }
            return found;
        }
    }

    private static void update(String sql) throws SQLException {
        try (Connection connection = connections.getConnection()) {
            update(connection, sql);
        }
    }

    private static void update(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.executeUpdate();
        }
    }
}

// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0
package dev.spindle.neighbours

import dev.spindle.Spindle
import java.util.concurrent.Executors
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.locks.LockSupport
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

private const val COROUTINES = 300

@Timeout(60)
class DispatcherTest {
    private class Account {
        var deposits = 0 // plain, no lock
        val order = LinkedBlockingQueue<Int>()

        fun deposit(number: Int) {
            val before = deposits
            if (number % 3 == 0) LockSupport.parkNanos(300_000)
            deposits = before + 1
            order.add(number)
        }
    }

    @Test
    fun dispatcher_ofAKey_runsCoroutinesOneAtATimeInTheOrderOfTheirLaunch() {
        Spindle.create().use { spindle ->
            val accounts = spindle.keyed<String>("accounts")
            val account = Account()
            // snippet: kotlin
            val alice: CoroutineDispatcher = accounts.at("alice").asCoroutineDispatcher()
            runBlocking {
                repeat(COROUTINES) { launch(alice) { account.deposit(it) } }
            }
            // end
            assertThat(account.deposits).isEqualTo(COROUTINES)
            assertThat(account.order.toList()).isEqualTo((0 until COROUTINES).toList())
        }
    }

    @Test
    fun dispatcher_ofAKey_whileACoroutineIsSuspended_runsOthersOfTheKey() {
        Spindle.create().use { spindle ->
            val alice = spindle.keyed<String>("accounts").at("alice").asCoroutineDispatcher()
            val steps = LinkedBlockingQueue<String>()
            runBlocking {
                launch(alice) {
                    steps.add("first begins")
                    delay(20)
                    steps.add("first ends")
                }
                launch(alice) { steps.add("second") }
            }
            assertThat(steps).containsExactly("first begins", "second", "first ends")
        }
    }

    @Test
    fun control_plainPool_losesDeposits() {
        val pool = Executors.newFixedThreadPool(8)
        val account = Account()
        val dispatcher = pool.asCoroutineDispatcher()
        runBlocking {
            repeat(COROUTINES) { launch(dispatcher) { account.deposit(it) } }
        }
        dispatcher.close()
        assertThat(account.deposits).isLessThan(COROUTINES)
    }
}

package io.distlock.kotlin

import io.distlock.DistributedLock
import io.distlock.LockBusyException
import io.distlock.LockLostException
import io.distlock.spring.InvalidLockDefinitionException
import io.distlock.spring.ReactiveLockContext
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emptyFlow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.junit.jupiter.api.assertThrows

/** Suspend functions and flows, in two applications on a real Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuspendFunctionTests {

	private val fleet = Fleet()

	private val jobs = fleet.jobs[0]

	@AfterAll
	fun close() = fleet.close()

	private fun test(body: suspend () -> Unit) = runBlocking { withTimeout(60_000) { body() } }

	private suspend fun awaitFree(key: String) {
		while (fleet.isBusy(key)) {
			delay(10)
		}
	}

	@Test
	fun heldAcrossSuspensionsAndReleasedBeforeTheResult() = test {
		val busy = jobs.run("held") {
			delay(10)
			withContext(Dispatchers.IO) { fleet.isBusy("held") }.toString()
		}
		assertThat(busy).isEqualTo("true")
		assertThat(fleet.isBusy("held")).isFalse()
	}

	@Test
	fun nothingAndNullAreResultsToo() = test {
		val ran = AtomicBoolean()
		jobs.unit("unit") {
			delay(1)
			ran.set(true)
		}
		assertThat(ran).isTrue()
		assertThat(jobs.run("unit") { null }).isNull()
		assertThat(fleet.isBusy("unit")).isFalse()
	}

	@Test
	fun failureReleases() = test {
		val failure = runCatching {
			jobs.run("failed") {
				delay(1)
				throw IllegalArgumentException("failed")
			}
		}
		assertThat(failure.exceptionOrNull()).isInstanceOf(IllegalArgumentException::class.java).hasMessage("failed")
		assertThat(fleet.isBusy("failed")).isFalse()
	}

	@Test
	fun busyIsThrown() = test {
		fleet.other.acquireAsync("busy").toCompletableFuture().join().use {
			val failure = runCatching { jobs.once("busy") { "ran" } }
			assertThat(failure.exceptionOrNull()).isInstanceOf(LockBusyException::class.java)
		}
	}

	@Test
	fun cancelledWhileWaitingThenNeverCalledAndNothingHeld() = test {
		val ran = AtomicBoolean()
		val other = fleet.other.acquireAsync("cancelled").toCompletableFuture().join()
		assertThrows<TimeoutCancellationException> {
			withTimeout(50) {
				jobs.run("cancelled") {
					ran.set(true)
					"ran"
				}
			}
		}
		other.close()
		assertThat(jobs.run("cancelled") { "next" }).isEqualTo("next")
		awaitFree("cancelled")
		assertThat(ran).isFalse()
	}

	@Test
	fun cancelledWhileRunningThenReleased() = test {
		val running = CompletableDeferred<Unit>()
		val ended = CompletableDeferred<Unit>()
		coroutineScope {
			val job = launch(Dispatchers.Default) {
				jobs.unit("running") {
					try {
						running.complete(Unit)
						awaitCancellation()
					}
					finally {
						ended.complete(Unit)
					}
				}
			}
			running.await()
			assertThat(fleet.isBusy("running")).isTrue()
			job.cancel()
			ended.await()
			awaitFree("running")
		}
	}

	@Test
	fun lossIsReportedAtTheEnd() = test {
		val failure = runCatching {
			jobs.brief("lost") {
				awaitFree("lost")
				"too late"
			}
		}
		assertThat(failure.exceptionOrNull()).isInstanceOf(LockLostException::class.java)
	}

	@Test
	fun lockTravelsWithTheCoroutine() = test {
		val text = jobs.fenced("context", 0) { token ->
			withContext(Dispatchers.IO) {
				ReactiveLockContext.ensureHeld().awaitSingleOrNull()
				val lock = ReactiveLockContext.current().awaitSingle()
				"${lock.key()} ${lock.fencingToken() == token}"
			}
		}
		assertThat(text).isEqualTo("context true")
		assertThat(ReactiveLockContext.current().awaitSingleOrNull()).isNull()
	}

	@Test
	fun nestedCallsShareTheLock() = test {
		val text = jobs.run("nested") {
			delay(1)
			withContext(Dispatchers.IO) { jobs.once("nested") { "inner" } }
		}
		assertThat(text).isEqualTo("inner")
		assertThat(fleet.isBusy("nested")).isFalse()
	}

	@Test
	fun flowHoldsTheLockWhileItIsCollected() = test {
		val cold = jobs.flow("flow") {
			flow {
				emit(fleet.isBusy("flow").toString())
				delay(1)
				emit(jobs.once("flow") { "nested" })
			}
		}
		assertThat(fleet.isBusy("flow")).isFalse()
		assertThat(cold.toList()).containsExactly("true", "nested")
		assertThat(fleet.isBusy("flow")).isFalse()
		assertThat(cold.first()).isEqualTo("true")
		awaitFree("flow")
	}

	@Test
	fun ownTransactionCommitsUnderTheLock() = test {
		val before = fleet.shop.rows()
		fleet.shop.sell("sold")
		assertThat(fleet.shop.rows()).isEqualTo(before + 1)
		assertThat(fleet.isBusy("sold")).isFalse()
	}

	@Test
	fun ownTransactionWhenTheLockWasLostThenRolledBack() = test {
		val before = fleet.shop.rows()
		val failure = runCatching { fleet.shop.sellBriefly("sold-late") { awaitFree("sold-late") } }
		assertThat(failure.exceptionOrNull()).isInstanceOf(LockLostException::class.java)
		assertThat(fleet.shop.rows()).isEqualTo(before)
	}

	@Test
	fun outerTransactionReleasesTheLockWhenItIsOver() = test {
		fleet.shop.inTransaction {
			jobs.once("outer") { "one" }
			jobs.once("outer") { "two" }
			assertThat(fleet.isBusy("outer")).isTrue()
		}
		assertThat(fleet.isBusy("outer")).isFalse()
	}

	@Test
	fun twoApplicationsNeverRunAtTheSameTime() = test {
		val inside = AtomicInteger()
		val overlaps = AtomicInteger()
		val total = AtomicInteger()
		coroutineScope {
			(0 until 200).map { i ->
				async(Dispatchers.Default) {
					fleet.jobs[i % 2].patient("contended") {
						if (inside.incrementAndGet() > 1) {
							overlaps.incrementAndGet()
						}
						delay(1)
						total.incrementAndGet()
						inside.decrementAndGet()
					}
				}
			}.forEach { it.await() }
		}
		assertThat(overlaps).hasValue(0)
		assertThat(total).hasValue(200)
	}

	@Test
	fun whatWouldBeUnlockedTooEarlyIsRefused() {
		assertThatThrownBy { fleet.start(Application::class.java, SuspendedFlow::class.java).close() }
			.rootCause()
			.isInstanceOf(InvalidLockDefinitionException::class.java)
			.hasMessageEndingWith("it is a Kotlin suspend function that returns a Flow, so the lock would be released "
				+ "before the work is done. Remove 'suspend' if that is a Flow: the lock is held while it is collected")
		assertThatThrownBy { fleet.start(Application::class.java, Promise::class.java).close() }
			.rootCause()
			.isInstanceOf(InvalidLockDefinitionException::class.java)
			.hasMessageContaining("it returns Deferred, so the lock would be released before the work is done")
	}

	open class SuspendedFlow {

		@DistributedLock(name = "x")
		open suspend fun run(): Flow<String> = emptyFlow()

	}

	open class Promise {

		@DistributedLock(name = "x")
		open fun run(): Deferred<String> = CompletableDeferred("x")

	}

}

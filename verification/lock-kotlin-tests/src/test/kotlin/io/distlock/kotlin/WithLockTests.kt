package io.distlock.kotlin

import io.distlock.LockBusyException
import io.distlock.LockHandle
import io.distlock.LockRequest
import io.distlock.spring.reactive.ReactiveLockTemplate
import java.time.Duration
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.Job
import kotlinx.coroutines.delay
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.mono
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance

// tag::withLock[]
suspend fun <T : Any> ReactiveLockTemplate.withLock(request: LockRequest, body: suspend (LockHandle) -> T): T {
	val caller = currentCoroutineContext().minusKey(Job)
	return mono(request) { lock -> mono(caller) { body(lock) } }.awaitSingle()
}
// end::withLock[]

/** The recipe of `docs/recipes.md`. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WithLockTests {

	private val fleet = Fleet()

	private val locks = fleet.get(ReactiveLockTemplate::class.java)

	@AfterAll
	fun close() = fleet.close()

	private fun test(body: suspend () -> Unit) = runBlocking { withTimeout(60_000) { body() } }

	@Test
	fun heldUntilTheBodyEnds() = test {
		val busy = locks.withLock(LockRequest.of("held")) {
			delay(10)
			fleet.isBusy("held")
		}
		assertThat(busy).isTrue()
		assertThat(fleet.isBusy("held")).isFalse()
	}

	@Test
	fun blockingCodeNeedsNoFunction() {
		val token = fleet.other.execute<Long, Exception>("blocking") { lock -> lock.fencingToken() }
		assertThat(token).isPositive()
	}

	@Test
	fun nestedBodiesShareTheLock() = test {
		val request = LockRequest.of("nested").waitAtMost(Duration.ZERO)
		assertThat(locks.withLock(request) { locks.withLock(request) { "inner" } }).isEqualTo("inner")
	}

	@Test
	fun busyIsThrownAndCancellationReleases() = test {
		fleet.other.acquireAsync("busy").toCompletableFuture().join().use {
			val once = LockRequest.of("busy").waitAtMost(Duration.ZERO)
			assertThat(runCatching { locks.withLock(once) { "ran" } }.exceptionOrNull())
				.isInstanceOf(LockBusyException::class.java)
		}
		assertThat(withTimeoutOrNull(200) { locks.withLock(LockRequest.of("busy")) { delay(60_000) } }).isNull()
		while (fleet.isBusy("busy")) {
			delay(10)
		}
	}

}

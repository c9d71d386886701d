// A fallback has the parameters of its method, wanted or not.
@file:Suppress("UNUSED_PARAMETER")

package io.distlock.kotlin

import io.distlock.DistributedLock
import io.distlock.DistributedSemaphore
import io.distlock.LockBusyException
import io.distlock.LockContext
import io.distlock.LockRequest
import io.distlock.OnBusy
import io.distlock.spring.InvalidLockDefinitionException
import io.distlock.spring.LockKeyException
import io.distlock.spring.ReactiveLockContext
import java.io.IOException
import java.util.Optional
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance

/** What functions in Kotlin return that get no lock, and the locks of several keys, on a real Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuspendRefusalTests {

	private val fleet = Fleet(Clerk::class.java)

	private val clerk = fleet.get(Clerk::class.java)

	@AfterAll
	fun close() = fleet.close()

	private fun test(body: suspend () -> Unit) = runBlocking { withTimeout(60_000) { body() } }

	private fun whileBusy(vararg keys: String, body: suspend () -> Unit) = test {
		fleet.other.acquireAsync(LockRequest.ofAll(keys.toList())).toCompletableFuture().join().use { body() }
	}

	@Test
	fun fallbackMaySuspendAndBeToldWhy() = whileBusy("fallback") {
		assertThat(clerk.replaced("fallback")).isEqualTo("later fallback")
		assertThat(clerk.replacedAndTold("fallback")).isEqualTo("fallback is busy")
		assertThat(clerk.replacedPlainly("fallback")).isEqualTo(7)
		assertThat(clerk.calls.get()).isZero()
		clerk.noted("fallback")
		assertThat(clerk.calls.get()).isEqualTo(100)
		assertThat(clerk.flowing("fallback").toList()).containsExactly("later", "fallback")
	}

	@Test
	fun fallbackThatThrowsIsTheFailure() = whileBusy("failing") {
		assertThat(runCatching { clerk.failing("failing") }.exceptionOrNull()).isInstanceOf(IOException::class.java)
			.hasMessage("full")
	}

	@Test
	fun fallbackIsNotCalledForWhoWasCancelledWhileWaiting() = whileBusy("cancelled") {
		assertThat(withTimeoutOrNull(50) { clerk.patient("cancelled") }).isNull()
		assertThat(clerk.waited.get()).isZero()
	}

	@Test
	fun skippedFunctionsGiveNothingOrTheirValue() = whileBusy("skip") {
		assertThat(clerk.skippedText("skip")).isNull()
		clerk.skippedUnit("skip")
		assertThat(clerk.skippedNumber("skip")).isEqualTo(-1)
		assertThat(clerk.skippedFlag("skip")).isFalse()
		assertThat(clerk.skippedOptional("skip")).isEmpty()
		assertThat(clerk.skippedFlow("skip").toList()).isEmpty()
		assertThat(clerk.skippedPlainly("skip")).isNull()
	}

	@Test
	fun defaultArgumentsArePartOfTheKey() = test {
		assertThat(clerk.both("x")).isEqualTo("both:none both:x")
		assertThat(clerk.both("x", "a")).isEqualTo("both:a both:x")
		assertThat(clerk.both("x", "x")).isEqualTo("both:x")
		assertThat(clerk.plainly()).isEqualTo("none")
		val failure = runCatching { clerk.both(" ") }.exceptionOrNull()
		assertThat(failure).isInstanceOf(LockKeyException::class.java)
			.hasMessage("@DistributedLock on SuspendRefusalTests.Clerk.both(String, String): key '#one' evaluated to a "
				+ "blank text; callers with different data would share one lock")
	}

	@Test
	fun noMoreThanThePermitsRun() = test {
		val inside = AtomicInteger()
		val most = AtomicInteger()
		coroutineScope {
			(0 until 20).map {
				async(Dispatchers.Default) {
					clerk.limited("gate") {
						most.accumulateAndGet(inside.incrementAndGet(), ::maxOf)
						delay(2)
						inside.decrementAndGet()
					}
				}
			}.forEach { it.await() }
		}
		assertThat(most.get()).isBetween(1, 2)
		val nested = runCatching {
			clerk.limitedOnce("gate") { clerk.limitedOnce("gate") { clerk.limitedOnce("gate") { } } }
		}
		assertThat(nested.exceptionOrNull()).isInstanceOf(LockBusyException::class.java)
	}

	@Test
	fun whatCannotWorkIsRefusedAllAtOnce() {
		val nothing = "onBusy is SKIP, but there is no value to return: the method returns "
		val texts = listOf(
			"SkipNumber.run(): " + nothing + "Integer",
			"SkipText.run(String): " + nothing + "String",
			"SkipPlainText.run(): " + nothing + "String",
			"SkipUnitValue.run(): skipValue is \"1\", but the method returns nothing. Leave it out",
			"SkipBadValue.run(): skipValue \"many\" cannot be converted to Integer",
			"Missing.run(String): fallback 'later' does not exist. Give SuspendRefusalTests.Missing one method "
				+ "later(String) or later(String, LockBusyException)",
			"OtherResult.run(String): fallback 'later' returns String, but the method returns Integer",
			"SuspendedFallback.run(String): fallback 'later' has other parameters: later(String, Continuation)",
			"UnknownName.run(String): key '#othr' uses the unknown variable #othr. Did you mean #other? The parameters are "
				+ "#other, by position #p0")
		val wrong = arrayOf(SkipNumber::class.java, SkipText::class.java, SkipPlainText::class.java,
			SkipUnitValue::class.java, SkipBadValue::class.java, Missing::class.java, OtherResult::class.java,
			SuspendedFallback::class.java, UnknownName::class.java)
		assertThatThrownBy { fleet.start(Application::class.java, *wrong).close() }
			.rootCause()
			.isInstanceOf(InvalidLockDefinitionException::class.java)
			.satisfies({ ex -> assertThat(texts).allSatisfy { text -> assertThat(ex).hasMessageContaining(text) } })
	}

	open class Clerk {

		open val calls = AtomicInteger()

		open val waited = AtomicInteger()

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "later")
		open suspend fun replaced(key: String): String = "ran"

		private suspend fun later(key: String): String {
			delay(1)
			return "later $key"
		}

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "told")
		open suspend fun replacedAndTold(key: String): String? = "ran"

		private suspend fun told(key: String, busy: LockBusyException): String {
			delay(1)
			return busy.key() + " is busy"
		}

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "known")
		open suspend fun replacedPlainly(key: String): Int = 1

		private fun known(key: String): Int = 7

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "count")
		open suspend fun noted(key: String) {
			calls.incrementAndGet()
		}

		private suspend fun count(key: String) {
			delay(1)
			calls.addAndGet(100)
		}

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "flowLater")
		open fun flowing(key: String): Flow<String> = flowOf("ran")

		private fun flowLater(key: String): Flow<String> = flowOf("later", key)

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "fail")
		open suspend fun failing(key: String): String = "ran"

		private suspend fun fail(key: String): String {
			delay(1)
			throw IOException("full")
		}

		@DistributedLock(key = "#key", waitTime = "60s", onBusy = OnBusy.FALLBACK, fallback = "tooLate")
		open suspend fun patient(key: String): String = "ran"

		private suspend fun tooLate(key: String): String {
			waited.incrementAndGet()
			return "too late"
		}

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.SKIP)
		open suspend fun skippedText(key: String): String? = "ran"

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.SKIP)
		open suspend fun skippedUnit(key: String) {
			throw IllegalStateException("ran")
		}

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = ["-1"])
		open suspend fun skippedNumber(key: String): Int = 1

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = ["false"])
		open suspend fun skippedFlag(key: String): Boolean = true

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.SKIP)
		open suspend fun skippedOptional(key: String): Optional<String> = Optional.of("ran")

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.SKIP)
		open fun skippedFlow(key: String): Flow<String> = flowOf("ran")

		@DistributedLock(key = "#key", waitTime = "0", onBusy = OnBusy.SKIP)
		open fun skippedPlainly(key: String): String? = "ran"

		@DistributedLock(name = "both", keys = ["#one", "#other"])
		open suspend fun both(one: String, other: String = "none"): String = withContext(Dispatchers.IO) {
			ReactiveLockContext.all().awaitSingle().joinToString(" ") { it.key() }
		}

		@DistributedLock(key = "#key")
		open fun plainly(key: String = "none"): String = LockContext.current().orElseThrow().key()

		@DistributedSemaphore(key = "#key", permits = "2", waitTime = "60s")
		open suspend fun limited(key: String, body: suspend () -> Unit) {
			body()
		}

		@DistributedSemaphore(key = "#key", permits = "2", waitTime = "0")
		open suspend fun limitedOnce(key: String, body: suspend () -> Unit) {
			body()
		}

	}

	open class SkipNumber {

		@DistributedLock(onBusy = OnBusy.SKIP)
		open suspend fun run(): Int = 1

	}

	open class SkipText {

		@DistributedLock(onBusy = OnBusy.SKIP)
		open suspend fun run(key: String): String = key

	}

	open class SkipPlainText {

		@DistributedLock(onBusy = OnBusy.SKIP)
		open fun run(): String = "ran"

	}

	open class SkipUnitValue {

		@DistributedLock(onBusy = OnBusy.SKIP, skipValue = ["1"])
		open suspend fun run() {
			delay(1)
		}

	}

	open class SkipBadValue {

		@DistributedLock(onBusy = OnBusy.SKIP, skipValue = ["many"])
		open suspend fun run(): Int = 1

	}

	open class Missing {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "later")
		open suspend fun run(key: String): String = key

	}

	open class OtherResult {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "later")
		open suspend fun run(key: String): Int = 1

		private suspend fun later(key: String): String = key

	}

	open class SuspendedFallback {

		@DistributedLock(onBusy = OnBusy.FALLBACK, fallback = "later")
		open fun run(key: String): String = key

		private suspend fun later(key: String): String = key

	}

	open class UnknownName {

		@DistributedLock(key = "#othr")
		open suspend fun run(other: String): String = other

	}

}

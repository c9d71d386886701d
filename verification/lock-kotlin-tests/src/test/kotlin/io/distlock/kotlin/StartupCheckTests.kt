package io.distlock.kotlin

import io.distlock.DistributedLock
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.boot.test.system.CapturedOutput
import org.springframework.boot.test.system.OutputCaptureExtension

/** What is found in classes that were written in Kotlin. */
@ExtendWith(OutputCaptureExtension::class)
class StartupCheckTests {

	@ParameterizedTest
	@ValueSource(classes = [Plain::class, Defaults::class, InLambda::class, InSuspendLambda::class, InObject::class,
		OfProperty::class, PassedOn::class, WithElvis::class])
	fun callPastTheProxyIsWarnedOf(type: Class<*>, output: CapturedOutput) {
		start(type)
		assertThat(warnings(output)).singleElement().asString()
			.contains("of its own object (StartupCheckTests.kt:", "bypasses the proxy: it runs without lock 'stock'")
	}

	@Test
	fun callOfAnotherObjectIsNot(output: CapturedOutput) {
		start(OnOther::class.java)
		assertThat(output).contains("have a distributed lock").doesNotContain("bypasses the proxy")
	}

	@Test
	fun suspendFunctionIsRefusedWhereMethodsAreWoven() {
		assertThatThrownBy { start(InCoroutine::class.java, "--distributed-lock.advice-mode=aspectj") }.rootCause()
			.hasMessage("Bean 'startupCheckTests.InCoroutine': @DistributedLock on "
				+ "StartupCheckTests.InCoroutine.deduct(String): it is a Kotlin suspend function, whose end "
				+ "woven code does not see. Leave distributed-lock.advice-mode at 'proxy'")
	}

	private fun warnings(output: CapturedOutput) =
		output.toString().lines().filter { it.contains("bypasses the proxy") }

	private fun start(type: Class<*>, vararg arguments: String) = SpringApplicationBuilder(Empty::class.java, type)
		.registerShutdownHook(false)
		.run("--distributed-lock.store=memory", "--spring.main.banner-mode=off", "--spring.main.web-application-type=none",
			*arguments)
		.close()

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	open class Empty

	open class Plain {

		open fun run(sku: String) = deduct(sku)

		@DistributedLock(name = "stock", key = "#sku")
		open fun deduct(sku: String) {
		}

	}

	open class Defaults {

		open fun run(sku: String) = deduct(sku)

		@DistributedLock(name = "stock", key = "#sku")
		open fun deduct(sku: String, count: Long = 1, reason: String = "sold") {
		}

	}

	open class InLambda {

		open fun run(all: List<String>): () -> Unit = { deduct(all.first()) }

		@DistributedLock(name = "stock", key = "#sku")
		open fun deduct(sku: String) {
		}

	}

	open class InCoroutine {

		open suspend fun run(sku: String) {
			kotlinx.coroutines.delay(1)
			deduct(sku)
		}

		@DistributedLock(name = "stock", key = "#sku")
		open suspend fun deduct(sku: String) {
		}

	}

	open class InSuspendLambda {

		open fun run(sku: String): suspend () -> Unit = {
			kotlinx.coroutines.delay(1)
			deduct(sku)
		}

		@DistributedLock(name = "stock", key = "#sku")
		open suspend fun deduct(sku: String) {
		}

	}

	open class InObject {

		open fun run(): Runnable = object : Runnable {

			override fun run() = deduct("book")

		}

		@DistributedLock(name = "stock", key = "#sku")
		open fun deduct(sku: String) {
		}

	}

	open class OfProperty {

		open val all: Int
			get() = count("book")

		@DistributedLock(name = "stock", key = "#sku")
		open fun count(sku: String) = sku.length

	}

	open class WithElvis {

		open fun run(sku: String?) = deduct(sku ?: "book")

		@DistributedLock(name = "stock", key = "#sku")
		open fun deduct(sku: String) {
		}

	}

	open class OnOther {

		open fun run(other: OnOther, sku: String) {
			other.deduct(sku)
			other.deduct(sku, 2)
			with(other) { deduct(sku) }
			synchronized(this) { other.deduct(sku) }
		}

		@DistributedLock(name = "stock", key = "#sku")
		open fun deduct(sku: String, count: Int = 1) {
		}

		@DistributedLock(name = "stock", key = "#sku")
		open fun look(sku: String) {
		}

	}

	open class PassedOn {

		@DistributedLock(name = "stock", key = "#sku")
		open fun run(sku: String) = deduct(sku)

		@DistributedLock(name = "stock", key = "#sku")
		open fun deduct(sku: String, count: Int = 1) {
		}

	}

}

package io.distlock.kotlin

import io.distlock.DistributedLock
import io.distlock.LockContext
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.annotation.Import

/** A value class is one key, whether Kotlin passes the class or its only property. */
class ValueClassKeyTests {

	@Test
	fun valueClassIsOneKeyInEachPosition() {
		start().use { context ->
			val orders = context.getBean(Orders::class.java)
			val id = OrderId("7")
			assertThat(listOf(orders.plain(id), orders.nullable(id), orders.any(id), orders.generic(id),
				orders.list(listOf(id)), orders.projected(listOf(id)), orders.text(id), orders.called(id),
				orders.held(Holder(id)), orders.wrapped(Wrapped(id)), orders.anyWrapped(Wrapped(id))))
				.containsOnly(listOf("order:7"))
		}
	}

	@Test
	fun valueClassOfANumberIsOneKeyInEachPosition() {
		start().use { context ->
			val amounts = context.getBean(Amounts::class.java)
			val amount = Amount(9)
			assertThat(listOf(amounts.plain(amount), amounts.nullable(amount), amounts.any(amount),
				amounts.list(listOf(amount)), amounts.text(amount), amounts.unsigned(9u), amounts.anyOf(9u)))
				.containsOnly(listOf("amount:9"))
		}
	}

	@Test
	fun valueClassWithoutAValueIsNoKey() {
		start().use { context ->
			val orders = context.getBean(Orders::class.java)
			assertThatThrownBy { orders.any(Maybe(null)) }.hasMessageContaining("evaluated to null")
			assertThatThrownBy { orders.any(OrderId(" ")) }.hasMessageContaining("evaluated to a blank text")
			assertThatThrownBy { orders.nullable(null) }.hasMessageContaining("evaluated to null")
		}
	}

	private fun start() = SpringApplicationBuilder(Shops::class.java)
		.run("--spring.main.web-application-type=none", "--spring.main.banner-mode=off",
			"--distributed-lock.store=memory")

	@EnableAutoConfiguration
	@Import(Orders::class, Amounts::class)
	open class Shops

	@JvmInline
	value class OrderId(val value: String)

	@JvmInline
	value class Wrapped(val id: OrderId)

	@JvmInline
	value class Maybe(val value: String?)

	@JvmInline
	value class Amount(val cents: Int)

	data class Holder(val id: Any)

	open class Orders {

		@DistributedLock(name = "order", key = "#p0")
		open fun plain(id: OrderId) = held()

		@DistributedLock(name = "order", key = "#p0")
		open fun nullable(id: OrderId?) = held()

		@DistributedLock(name = "order", key = "#p0")
		open fun any(id: Any) = held()

		@DistributedLock(name = "order", key = "#p0")
		open fun <T> generic(id: T) = held()

		@DistributedLock(name = "order", key = "#p0")
		open fun list(ids: List<OrderId>) = held()

		@DistributedLock(name = "order", key = "#p0.!['' + #this]")
		open fun projected(ids: List<OrderId>) = held()

		@DistributedLock(key = "'order:' + #p0")
		open fun text(id: Any) = held()

		@DistributedLock(name = "order", key = "#p0.toString()")
		open fun called(id: Any) = held()

		@DistributedLock(name = "order", key = "#p0.id")
		open fun held(holder: Holder) = held()

		@DistributedLock(name = "order", key = "#p0")
		open fun wrapped(id: Wrapped) = held()

		@DistributedLock(name = "order", key = "#p0")
		open fun anyWrapped(id: Any) = held()

	}

	open class Amounts {

		@DistributedLock(name = "amount", key = "#p0")
		open fun plain(amount: Amount) = held()

		@DistributedLock(name = "amount", key = "#p0")
		open fun nullable(amount: Amount?) = held()

		@DistributedLock(name = "amount", key = "#p0")
		open fun any(amount: Any) = held()

		@DistributedLock(name = "amount", key = "#p0")
		open fun list(amounts: List<Amount>) = held()

		@DistributedLock(key = "'amount:' + #p0")
		open fun text(amount: Amount?) = held()

		@DistributedLock(name = "amount", key = "#p0")
		open fun unsigned(amount: UInt) = held()

		@DistributedLock(name = "amount", key = "#p0")
		open fun anyOf(amount: Any) = held()

	}

}

private fun held(): List<String> = LockContext.all().map { it.key() }

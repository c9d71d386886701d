package com.example.kotlin

import io.distlock.DistributedLock
import io.distlock.LockBusyException
import io.distlock.test.redis.RedisServer
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.context.annotation.Import
import org.springframework.stereotype.Service
import org.springframework.test.context.DynamicPropertyRegistry
import org.springframework.test.context.DynamicPropertySource

/** A suspend function holds its lock until it has ended. */
@SpringBootTest
class StockTests(@Autowired private val stock: Stock) {

	@Test
	fun onlyOneSellsTheBook() {
		assertThatExceptionOfType(LockBusyException::class.java).isThrownBy {
			// Another scope, so another owner; within one the lock is reentrant.
			runBlocking { stock.sell("book") { others.async { stock.sell("book") { "sold twice" } }.await() } }
		}
	}

	companion object {

		private val redis = RedisServer.start()

		private val others = CoroutineScope(SupervisorJob() + Dispatchers.Default)

		@JvmStatic
		@DynamicPropertySource
		fun redis(properties: DynamicPropertyRegistry) = properties.add("spring.data.redis.port", redis::port)

		@JvmStatic
		@AfterAll
		fun stop() = redis.close()

	}

}

@SpringBootApplication
@Import(Stock::class)
open class Shop

@Service
open class Stock {

	@DistributedLock(name = "stock", key = "#sku", waitTime = "0s")
	open suspend fun sell(sku: String, sale: suspend () -> String): String = sale()

}

package io.distlock.kotlin

import io.distlock.DistributedLock
import io.distlock.FencingToken
import io.distlock.LockTemplate
import io.distlock.LockRequest
import io.distlock.test.redis.RedisServer
import io.r2dbc.h2.H2ConnectionFactory
import io.r2dbc.spi.ConnectionFactory
import java.time.Duration
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.reactor.awaitSingle
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Import
import org.springframework.r2dbc.connection.R2dbcTransactionManager
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.transaction.annotation.EnableTransactionManagement
import org.springframework.transaction.annotation.Transactional

@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableTransactionManagement(proxyTargetClass = true)
@Import(Jobs::class, Shop::class)
open class Application {

	@Bean(destroyMethod = "close")
	open fun connections(): ConnectionFactory = H2ConnectionFactory.inMemory("sale-" + System.nanoTime())

	@Bean
	open fun transactions(connections: ConnectionFactory) = R2dbcTransactionManager(connections)

	@Bean
	open fun database(connections: ConnectionFactory): DatabaseClient {
		val database = DatabaseClient.create(connections)
		database.sql("create table sale (id int)").then().block(Duration.ofSeconds(20))
		return database
	}

}

open class Jobs {

	@DistributedLock(key = "#key")
	open suspend fun run(key: String, body: suspend () -> String?): String? = body()

	@DistributedLock(key = "#key")
	open suspend fun unit(key: String, body: suspend () -> Unit) = body()

	@DistributedLock(key = "#key", waitTime = "0")
	open suspend fun once(key: String, body: suspend () -> String): String = body()

	@DistributedLock(key = "#key", waitTime = "60s")
	open suspend fun patient(key: String, body: suspend () -> Unit) = body()

	@DistributedLock(key = "#key", leaseTime = "5s")
	open suspend fun brief(key: String, body: suspend () -> String): String = body()

	@DistributedLock(key = "#key")
	open suspend fun fenced(key: String, @FencingToken token: Long, body: suspend (Long) -> String): String = body(token)

	@DistributedLock(key = "#key")
	open fun flow(key: String, body: () -> Flow<String>): Flow<String> = body()

}

open class Shop(private val database: DatabaseClient) {

	@Transactional
	@DistributedLock(key = "#key", leaseTime = "5s")
	open suspend fun sellBriefly(key: String, body: suspend () -> Unit) {
		insert()
		body()
	}

	@Transactional
	@DistributedLock(key = "#key")
	open suspend fun sell(key: String) = insert()

	@Transactional
	open suspend fun inTransaction(body: suspend () -> Unit) = body()

	open suspend fun insert() {
		database.sql("insert into sale values (1)").fetch().rowsUpdated().awaitSingle()
	}

	open suspend fun rows(): Long = database.sql("select count(*) from sale")
		.map { row -> row.get(0, Long::class.javaObjectType)!! }
		.one()
		.awaitSingle()

}

/** The same application twice, on a real Redis. */
class Fleet(private vararg val beans: Class<*>) : AutoCloseable {

	private val server = RedisServer.start()

	private val one = start(Application::class.java, *beans)

	private val two = start(Application::class.java, *beans)

	val jobs: List<Jobs> = listOf(one.getBean(Jobs::class.java), two.getBean(Jobs::class.java))

	fun <T : Any> get(type: Class<T>): T = one.getBean(type)

	val shop: Shop = one.getBean(Shop::class.java)

	val other: LockTemplate = two.getBean(LockTemplate::class.java)

	fun start(vararg sources: Class<*>): ConfigurableApplicationContext = SpringApplicationBuilder(*sources)
		.registerShutdownHook(false)
		.run("--distributed-lock.command-timeout=5s",
			"--spring.data.redis.host=" + server.host(), "--spring.data.redis.port=" + server.port(),
			"--spring.main.banner-mode=off", "--spring.main.web-application-type=none")

	fun isBusy(key: String): Boolean {
		val taken = other.acquireAsync(LockRequest.of(key).waitAtMost(Duration.ZERO)).toCompletableFuture()
		return taken.handle { lock, _ -> lock?.close(); lock == null }.join()
	}

	override fun close() {
		two.close()
		one.close()
		server.close()
	}

}

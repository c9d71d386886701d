package io.distlock.ways.order

import io.distlock.DistributedLock
import kotlinx.coroutines.reactor.mono
import org.springframework.security.access.prepost.PreAuthorize
import reactor.core.publisher.Mono

/** A suspend function with a check of the caller. */
open class KotlinAccounts {

	@PreAuthorize("hasRole('ADMIN')")
	@DistributedLock(name = "account", key = "#id", waitTime = "0")
	open suspend fun close(id: String?): String = "closed $id"

}

/** Calls the proxy, as Java cannot call a suspend function. */
object KotlinCalls {

	@JvmStatic
	fun close(accounts: KotlinAccounts, id: String?): Mono<String> = mono { accounts.close(id) }

}

package io.distlock.ways.order;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.timelimiter.annotation.TimeLimiter;
import jakarta.validation.constraints.NotNull;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.validation.annotation.Validated;

/** A locked method for each kind of other advice, all of them in their default order. */
@Validated
class Neighbours {

	private final Set<Long> tokens = ConcurrentHashMap.newKeySet();

	private final Probe probe;

	Neighbours(Probe probe) {
		this.probe = probe;
	}

	/** How many locks were taken one after the other. */
	int locksTaken() {
		int taken = this.tokens.size();
		this.tokens.clear();
		return taken;
	}

	private String fail() {
		this.tokens.add(LockContext.current().orElseThrow().fencingToken());
		throw new IllegalStateException("fails");
	}

	@PreAuthorize("@probe.seen('pre')")
	@PostAuthorize("@probe.seen('post')")
	@DistributedLock(name = "neighbour")
	String authorized() {
		return LockContext.current().orElseThrow().key();
	}

	@Transactional
	@DistributedLock(name = "neighbour")
	void transactional() {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				Neighbours.this.probe.seen("transaction");
			}

		});
	}

	@Cacheable(cacheNames = "neighbours", key = "@probe.seen('cache')")
	@DistributedLock(name = "neighbour")
	String cached() {
		return "";
	}

	@DistributedLock(name = "neighbour", waitTime = "0")
	void validated(@NotNull String value) {
	}

	@Async
	@DistributedLock(name = "neighbour", key = "@probe.thread()")
	CompletableFuture<String> async() {
		return CompletableFuture.completedFuture(LockContext.current().orElseThrow().key());
	}

	@Retryable(maxAttempts = 3, backoff = @Backoff(delay = 0))
	@DistributedLock(name = "neighbour")
	void retried() {
		fail();
	}

	@Retry(name = "neighbour", fallbackMethod = "retryFallback")
	@DistributedLock(name = "neighbour")
	String retry() {
		return fail();
	}

	String retryFallback(Throwable failure) {
		return String.valueOf(this.probe.seen("retry"));
	}

	@Retry(name = "neighbour")
	@DistributedLock(name = "neighbour")
	void attempt() {
		fail();
	}

	@CircuitBreaker(name = "neighbour", fallbackMethod = "breakerFallback")
	@DistributedLock(name = "neighbour")
	String breaker() {
		return fail();
	}

	String breakerFallback(Throwable failure) {
		return String.valueOf(this.probe.seen("breaker"));
	}

	@RateLimiter(name = "neighbour", fallbackMethod = "limiterFallback")
	@DistributedLock(name = "neighbour")
	String limited() {
		return fail();
	}

	String limiterFallback(Throwable failure) {
		return String.valueOf(this.probe.seen("limiter"));
	}

	@Bulkhead(name = "neighbour", fallbackMethod = "bulkheadFallback")
	@DistributedLock(name = "neighbour")
	String bulkhead() {
		return fail();
	}

	String bulkheadFallback(Throwable failure) {
		return String.valueOf(this.probe.seen("bulkhead"));
	}

	@TimeLimiter(name = "neighbour")
	@DistributedLock(name = "timed")
	CompletableFuture<String> timed(CompletableFuture<String> work) {
		return work;
	}

	@DistributedLock(name = "neighbour")
	void ofOwnAspect() {
	}

	/** An aspect without an order. */
	@Aspect
	static class OwnAspect {

		private final Probe probe;

		OwnAspect(Probe probe) {
			this.probe = probe;
		}

		@Around("execution(void io.distlock.ways.order.Neighbours.ofOwnAspect())")
		Object around(ProceedingJoinPoint call) throws Throwable {
			this.probe.seen("aspect");
			return call.proceed();
		}

	}

}

package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.spi.TransientStoreException;
import org.awaitility.Awaitility;

/** A part of the contract of a template, about one subject. */
abstract class TemplateContractPart {

	static final Duration LONG = Duration.ofSeconds(20);

	/** More than a round trip on a busy machine, less than any wait in these tests. */
	static final Duration ROUND_TRIP = Duration.ofSeconds(5);

	/**
	 * Settings whose locks survive a stall of the machine for two thirds of the lease.
	 */
	static final LockSettings RENEWED_SOON = LockSettings.builder()
		.leaseTime(Duration.ofSeconds(9))
		.commandTimeout(Duration.ofSeconds(3))
		.build();

	private final ContractTemplates templates;

	TemplateContractPart(ContractTemplates templates) {
		this.templates = templates;
	}

	final ContractTemplates templates() {
		return this.templates;
	}

	final CloseableLockTemplate template() {
		return this.templates.template();
	}

	final CloseableLockTemplate template(LockSettings settings) {
		return this.templates.template(settings);
	}

	final String key() {
		return this.templates.key();
	}

	final LockRequest request() {
		return LockRequest.of(key());
	}

	static LockRequest waiting(LockRequest request) {
		return request.waitAtMost(LONG);
	}

	/**
	 * Runs a body in another thread, so that its acquisitions are not nested in those of
	 * this thread.
	 */
	static <T> T elsewhere(Callable<T> body) throws Exception {
		return TestThreads.get(TestThreads.inThread(body));
	}

	static CompletableFuture<LockHandle> async(CloseableLockTemplate template, LockRequest request) {
		return template.acquireAsync(waiting(request)).toCompletableFuture();
	}

	/**
	 * Acquires a lock for a short time. On a slow machine the lease may end before its
	 * grant arrives, and a quorum then has no majority. This method then asks again with
	 * four and with sixteen times the lease. An acquisition that waits has repeated its
	 * request with the same lease before, for up to its wait time.
	 */
	static LockHandle briefly(Duration lease, Function<Duration, LockHandle> acquisition) {
		Duration longest = lease.multipliedBy(16);
		for (Duration asked = lease;; asked = asked.multipliedBy(4)) {
			try {
				return acquisition.apply(asked);
			}
			catch (LockLostException | TransientStoreException ex) {
				if (asked.equals(longest)) {
					throw ex;
				}
			}
		}
	}

	/** Waits until a renewal is confirmed, which leaves more of the lease than before. */
	static void awaitRenewal(LockHandle lock) {
		AtomicReference<Duration> left = new AtomicReference<>(lock.remaining());
		Awaitility.await().atMost(LONG).until(() -> {
			Duration now = lock.remaining();
			return now.compareTo(left.getAndSet(now)) > 0;
		});
	}

	static Duration timed(Callable<?> action) throws Exception {
		return Standstill.timed(action::call);
	}

}

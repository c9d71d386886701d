package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
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
	 * Acquires a lock for a short time. Repeats this if the machine stalls for so long
	 * that the lease ends before its grant arrives.
	 */
	static LockHandle briefly(Callable<LockHandle> acquisition) throws Exception {
		long end = System.nanoTime() + LONG.toNanos();
		while (true) {
			try {
				return acquisition.call();
			}
			catch (LockLostException ex) {
				if (System.nanoTime() - end > 0) {
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

package io.distlock.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Lock;

import io.distlock.CloseableLockTemplate;
import io.distlock.Holder;
import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * The part of {@link LockTemplateContract} about keys and names that were made to forge
 * log lines, to hide text in a terminal, or to fill a disk. They reach other processes
 * through the store.
 */
@SuppressWarnings({ "NullAway", "resource" })
abstract class ForeignTextContract extends TemplateContractPart {

	private static final String HOSTILE = " GET /x\r\n2026-01-01 ERROR forged\u001b[31m\u2028\u202e\u0000"
			+ "x".repeat(1 << 16);

	/** Leaves room for a key, five texts of the holder, and what happened. */
	private static final int LONGEST = 4000;

	ForeignTextContract(ContractTemplates templates) {
		super(templates);
	}

	private LockRequest hostile() {
		return LockRequest.of(key() + HOSTILE).calledFrom("Shop.sell" + HOSTILE);
	}

	private static <T> T named(java.util.concurrent.Callable<T> body) throws Exception {
		return elsewhere(() -> {
			Thread thread = Thread.currentThread();
			String name = thread.getName();
			thread.setName("exec-1" + HOSTILE);
			try {
				return body.call();
			}
			finally {
				thread.setName(name);
			}
		});
	}

	private static void assertPrintable(Object... texts) {
		assertThat(List.of(texts)).allSatisfy(
				(text) -> assertThat(text.toString()).hasSizeLessThan(LONGEST)
					.matches(
							(written) -> written.chars()
								.noneMatch((c) -> Character.getType(c) == Character.CONTROL
										|| Character.getType(c) == Character.FORMAT
										|| Character.getType(c) == Character.LINE_SEPARATOR),
							"has no control characters"));
	}

	@Test
	@DisplayName("breaks no line of a refusal in another process, and cannot make it long")
	void acquireWhenHolderHasHostileNamesThenMessageIsPrintable() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle held = named(() -> one.acquire(hostile()));
		LockBusyException busy = catchThrowableOfType(LockBusyException.class, () -> template().acquire(hostile()));
		Holder holder = busy.holder().orElseThrow();
		assertPrintable(busy.getMessage(), busy, holder, holder.thread(), holder.caller(), held, hostile());
		assertThat(busy).hasMessageContaining("Shop.sell GET /x\\r\\n").hasMessageContaining("'exec-1 GET /x\\r\\n");
		assertThat(held.key()).isEqualTo(hostile().key());
		held.close();
	}

	@Test
	@DisplayName("is the same in the report of a loss, in views and in refusals of the template")
	void textWhenLostNestedOrViewedThenPrintable() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle lost = named(
				() -> briefly(Duration.ofSeconds(1), (lease) -> one.acquire(waiting(hostile().leaseFor(lease)))));
		Pause.atMost(LONG, () -> !lost.isHeld());
		LockLostException loss = catchThrowableOfType(LockLostException.class, lost::close);
		assertPrintable(loss.getMessage(), loss.loss(), lost);
		Lock view = one.getLock(hostile().key());
		LockHandle several = one.acquire(LockRequest.ofAll(List.of(key() + "a\n", key() + "b" + HOSTILE)));
		assertPrintable(view, one.getReadWriteLock(hostile().key()), several);
		several.close();
		RuntimeException upgrade = named(() -> {
			try (LockHandle shared = one.acquire(hostile().mode(LockMode.SHARED))) {
				return catchThrowableOfType(LockException.class, () -> one.acquire(hostile()));
			}
		});
		RuntimeException notOwner = named(() -> catchThrowableOfType(IllegalMonitorStateException.class, view::unlock));
		assertPrintable(upgrade.getMessage(), notOwner.getMessage());
		assertThat(one.shutdown(Duration.ofSeconds(1))).isTrue();
		assertPrintable(catchThrowableOfType(LockException.class, () -> one.acquire(hostile())).getMessage());
	}

}

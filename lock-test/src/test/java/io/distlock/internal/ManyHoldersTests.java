package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.output.LogLines;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A lock costs about the same whether few or many hold it together. */
@Tag("ci")
class ManyHoldersTests {

	private static final int FEW = 10;

	private static final int MANY = 10_000;

	/** If each pair looked at all others, it would be some hundred. */
	private static final int RATIO = 30;

	private static final int BLOCKS = 40;

	private static final int PAIRS = 50;

	@ParameterizedTest
	@EnumSource
	void pairBesideManyHoldersThenCostsAsBesideFew(Holders holders) {
		try (LogLines quiet = LogLines.of("io.distlock", Level.OFF)) {
			cheapest(holders, FEW);
			long few = cheapest(holders, FEW);
			long many = cheapest(holders, MANY);
			assertThat(many).as("nanoseconds, %s of them beside few", few).isLessThan(few * RATIO);
			assertThat(quiet.events()).isEmpty();
		}
	}

	/** Only the cheapest block counts: during the others the machine did other work. */
	private static long cheapest(Holders holders, int number) {
		try (CloseableLockTemplate locks = LockTemplateBuilder.forStore(new InMemoryLockStore()).build()) {
			LockRequest request = holders.request(number + 1);
			List<LockHandle> held = new ArrayList<>();
			for (int i = 0; i < number; i++) {
				held.add(locks.acquireAsync(request).toCompletableFuture().join());
			}
			long least = Long.MAX_VALUE;
			for (int block = 0; block < BLOCKS; block++) {
				long begin = System.nanoTime();
				for (int i = 0; i < PAIRS; i++) {
					holders.pair(locks, request);
				}
				least = Math.min(least, System.nanoTime() - begin);
			}
			held.forEach(LockHandle::closeAsync);
			return least / PAIRS;
		}
	}

	enum Holders {

		PERMITS {
			@Override
			void pair(CloseableLockTemplate locks, LockRequest request) {
				locks.acquire(request).close();
			}
		},

		PERMITS_WITHOUT_A_THREAD, READERS;

		LockRequest request(int permits) {
			return (this == READERS) ? LockRequest.of("stock").mode(LockMode.SHARED)
					: LockRequest.permit("stock", permits);
		}

		void pair(CloseableLockTemplate locks, LockRequest request) {
			locks.acquireAsync(request).toCompletableFuture().join().closeAsync().toCompletableFuture().join();
		}

	}

}

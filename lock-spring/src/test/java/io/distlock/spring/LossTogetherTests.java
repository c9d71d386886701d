package io.distlock.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockScopes;
import io.distlock.OnLost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An open transaction, nested methods under one lock, their tokens, an interrupt and a
 * loss: all at once.
 */
class LossTogetherTests {

	private final LockedApplication application = LockedApplication.of(SaleDatabase.class, Outer.class, Inner.class);

	private final Outer outer = this.application.get(Outer.class);

	private final TransactionTemplate transaction = this.application.get(TransactionTemplate.class);

	@AfterEach
	void close() {
		this.application.close();
	}

	private void assertNothingIsLeft() {
		assertThat(this.application.get(JdbcTemplate.class).queryForObject("select count(*) from sale", Integer.class))
			.isZero();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(LockContext.all()).isEmpty();
		assertThat(this.application.isBusy("shop")).isFalse();
	}

	/** Without blocking, so that the flag stays set. */
	private void awaitInterrupt(LockHandle lock) {
		this.application.outliveLeases();
		long begun = System.nanoTime();
		while (!(LockScopes.isInterruptedByLoss(lock) && Thread.currentThread().isInterrupted())) {
			assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(30));
			Thread.onSpinWait();
		}
	}

	private void sell(Outer.Body body) {
		this.transaction.executeWithoutResult((status) -> {
			try {
				this.outer.sell(0, body);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	@Test
	void nestedBodyWhenItBlocksThenInterruptedToldAndRolledBack() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> sell(() -> {
			this.application.outliveLeases();
			new CountDownLatch(1).await();
		})).withCauseInstanceOf(LockLostException.class).withRootCauseInstanceOf(InterruptedException.class);
		assertNothingIsLeft();
	}

	@Test
	void nestedBodyWhenItTakesNoNoticeThenToldAndRolledBack() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> sell(() -> awaitInterrupt(LockContext.current().orElseThrow())));
		assertNothingIsLeft();
	}

	@Test
	void transactionWhenTheLockIsLostAfterTheMethodsThenRolledBack() {
		List<Long> tokens = this.application.get(Inner.class).tokens();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				LockHandle[] lock = new LockHandle[1];
				try {
					this.outer.sell(0, () -> lock[0] = LockContext.current().orElseThrow());
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				assertThat(tokens).hasSize(2).containsOnly(lock[0].fencingToken());
				awaitInterrupt(lock[0]);
			}));
		assertNothingIsLeft();
	}

	static class Outer {

		private final Inner inner;

		private final JdbcTemplate jdbc;

		Outer(Inner inner, JdbcTemplate jdbc) {
			this.inner = inner;
			this.jdbc = jdbc;
		}

		@DistributedLock(name = "shop", leaseTime = "20s", onLost = OnLost.INTERRUPT)
		public void sell(@FencingToken long token, Body body) throws InterruptedException {
			this.jdbc.update("insert into sale values (1)");
			this.inner.tokens().add(token);
			this.inner.sellOn(0, body);
		}

		interface Body {

			void run() throws InterruptedException;

		}

	}

	static class Inner {

		private final List<Long> tokens = new CopyOnWriteArrayList<>();

		public List<Long> tokens() {
			return this.tokens;
		}

		@DistributedLock(name = "shop", leaseTime = "20s", onLost = OnLost.INTERRUPT)
		public void sellOn(@FencingToken long token, Outer.Body body) throws InterruptedException {
			this.tokens.add(token);
			body.run();
		}

	}

}

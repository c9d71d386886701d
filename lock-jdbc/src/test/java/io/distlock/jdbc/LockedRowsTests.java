package io.distlock.jdbc;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Attempts at rows that are kept leave the connections to other locks. */
class LockedRowsTests {

	private final AtomicLong now = new AtomicLong();

	private final LockedRows rows = new LockedRows(this.now::get);

	@Test
	void pausesBeginWithTheThirdRefusalAndGrowWithTheRows() {
		assertThat(this.rows.refused("a")).isZero();
		assertThat(this.rows.refused("a")).isZero();
		assertThat(this.rows.refused("a")).as("two changes have met").hasMillis(3);
		this.now.addAndGet(Duration.ofMillis(20).toNanos());
		assertThat(this.rows.refused("a")).as("the row is kept").hasMillis(100);
		this.rows.refused("b");
		assertThat(this.rows.refused("a")).hasMillis(200);
		for (int i = 0; i < 50; i++) {
			this.rows.refused("c" + i);
		}
		assertThat(this.rows.refused("a")).hasMillis(1000);
	}

	@Test
	void answerOrTimeEndsIt() {
		for (int i = 0; i < 5; i++) {
			this.rows.refused("a");
			this.rows.refused("b");
		}
		this.rows.answered("a");
		assertThat(this.rows.refused("a")).isZero();
		this.now.addAndGet(Duration.ofSeconds(4).toNanos());
		assertThat(this.rows.refused("b")).isZero();
	}

}

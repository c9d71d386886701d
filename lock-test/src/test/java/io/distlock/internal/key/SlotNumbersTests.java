package io.distlock.internal.key;

import java.lang.management.ManagementFactory;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which of its permits a process uses next. */
class SlotNumbersTests {

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final SlotNumbers numbers = new SlotNumbers();

	@Test
	void takeThenTheLowestThatIsFree() {
		assertThat(this.numbers.take()).isEqualTo(1);
		assertThat(this.numbers.take()).isEqualTo(2);
		assertThat(this.numbers.take()).isEqualTo(3);
		this.numbers.giveBack(3);
		this.numbers.giveBack(1);
		assertThat(this.numbers.take()).isEqualTo(1);
		assertThat(this.numbers.take()).isEqualTo(3);
		assertThat(this.numbers.take()).isEqualTo(4);
	}

	/** Steps are counted by what they allocate: a search boxes each number. */
	@Test
	void takeWhenManyAreTakenThenNoMoreSteps() {
		long few = bytesOfPairs();
		for (int i = 0; i < 100_000; i++) {
			this.numbers.take();
		}
		assertThat(bytesOfPairs()).isLessThan(few + 10_000);
	}

	private long bytesOfPairs() {
		long before = THREADS.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < 100; i++) {
			this.numbers.giveBack(this.numbers.take());
		}
		return THREADS.getCurrentThreadAllocatedBytes() - before;
	}

}

package io.distlock.internal.key;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionException;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.distlock.LockStoreException;
import io.distlock.spi.LockClock;
import io.distlock.spi.TransientStoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** What is logged while a store does not answer, however many commands fail. */
class StoreOutageTests {

	private static final Throwable AWAY = new CompletionException(
			new TransientStoreException("", "Connection refused: redis:6379", null));

	private final Logger logger = (Logger) LoggerFactory.getLogger(StoreOutage.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final SetClock clock = new SetClock();

	private final StoreOutage outage = new StoreOutage(this.clock, Runnable::run);

	@BeforeEach
	void capture() {
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void release() {
		this.logger.detachAppender(this.log);
	}

	@Test
	void answersWithoutOutageThenNothingIsLogged() {
		this.outage.answered();
		assertThat(lines()).isEmpty();
	}

	@Test
	void outageThenOneLineAtItsBeginAndOneAtItsEnd() {
		for (int i = 0; i < 312; i++) {
			this.outage.failed(AWAY);
		}
		assertThat(lines()).singleElement()
			.asString()
			.startsWith("WARN The store does not answer: Connection refused: redis:6379. ");
		this.clock.pass(Duration.ofSeconds(31));
		this.outage.answered();
		this.outage.answered();
		assertThat(lines()).hasSize(2)
			.last()
			.isEqualTo("INFO The store answers again after 31s; 312 command(s) failed");
	}

	@Test
	void messageWithAFullStopThenItIsNotDoubled() {
		this.outage.failed(new TransientStoreException("", "Unexpected end of stream.", null));
		assertThat(lines())
			.containsExactly("WARN The store does not answer: Unexpected end of stream. Commands are repeated");
	}

	@Test
	void interruptOfACallerThenNeitherBeginsNorEndsAnOutage() {
		Throwable interrupt = new CompletionException(
				new TransientStoreException("", "Closed by interrupt", new InterruptedException()));
		this.outage.failed(interrupt);
		assertThat(lines()).isEmpty();
		this.outage.failed(AWAY);
		this.outage.failed(interrupt);
		assertThat(lines()).hasSize(1);
		this.outage.answered();
		assertThat(lines()).hasSize(2).last().asString().endsWith("; 1 command(s) failed");
	}

	@Test
	void errorThenIsAnAnswer() {
		this.outage.failed(new LockStoreException("stock", "NOPERM", null));
		assertThat(lines()).isEmpty();
		this.outage.failed(AWAY);
		this.outage.failed(new LockStoreException("stock", "NOPERM", null));
		assertThat(lines()).hasSize(2).last().asString().contains("answers again");
	}

	@Test
	void manyShortOutagesWithinAMinuteThenOnlyTheFirstIsLogged() {
		for (int i = 0; i < 60; i++) {
			this.outage.failed(AWAY);
			this.outage.answered();
			this.clock.pass(Duration.ofMillis(900));
		}
		assertThat(lines()).hasSize(2);
		this.clock.pass(Duration.ofMinutes(1));
		this.outage.failed(AWAY);
		assertThat(lines()).hasSize(3);
	}

	@Test
	void secondOutageWithinAMinuteThenLoggedOnceItLasts() {
		this.outage.failed(AWAY);
		this.outage.answered();
		this.outage.failed(AWAY);
		this.clock.pass(Duration.ofMillis(999));
		this.outage.failed(AWAY);
		assertThat(lines()).hasSize(2);
		this.clock.pass(Duration.ofMillis(1));
		this.outage.failed(AWAY);
		this.outage.failed(AWAY);
		assertThat(lines()).hasSize(3);
		this.outage.answered();
		assertThat(lines()).hasSize(4).last().isEqualTo("INFO The store answers again after 1s; 4 command(s) failed");
	}

	private List<String> lines() {
		return this.log.list.stream().map((event) -> event.getLevel() + " " + event.getFormattedMessage()).toList();
	}

	private static final class SetClock implements LockClock {

		private long nanos = 1;

		void pass(Duration time) {
			this.nanos += time.toNanos();
		}

		@Override
		public long nanoTime() {
			return this.nanos;
		}

		@Override
		public Instant instant() {
			return Instant.EPOCH;
		}

		@Override
		public void park(long nanos) {
			throw new UnsupportedOperationException();
		}

	}

}

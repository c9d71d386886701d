package io.distlock.internal.outage;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;

import io.distlock.LockStoreException;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.monitor.QuietMonitor;
import io.distlock.observe.StoreCommand;
import io.distlock.output.LogLines;
import io.distlock.spi.TransientStoreException;
import io.distlock.test.VirtualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** What is logged while a store does not answer, however many commands fail. */
@Isolated // counts lines
class StoreOutageTests {

	private static final Throwable AWAY = new CompletionException(
			new TransientStoreException("", "Connection refused: redis:6379", null));

	private static final Throwable FULL = refusal("OOM command not allowed");

	private static LockStoreException refusal(String reply) {
		return new LockStoreException("a", "No memory (acquire of lock 'a'): " + reply,
				new IllegalStateException(reply));
	}

	private final Logger logger = LoggerFactory.getLogger(StoreOutage.class);

	private final LogLines log = LogLines.of(StoreOutage.class.getName());

	private final VirtualClock clock = new VirtualClock();

	private final StoreOutage outage = new StoreOutage(this.clock);

	private final Monitor monitor = new QuietMonitor();

	@AfterEach
	void listenNoMore() {
		this.log.close();
	}

	private void answered(StoreCommand command) {
		this.outage.answered(command, null);
	}

	private void failed(StoreCommand command, Throwable failure) {
		this.outage.failed(command, failure, null);
	}

	@Test
	void answersWithoutOutageThenNothingIsLogged() {
		answered(StoreCommand.ACQUIRE);
		assertThat(lines()).isEmpty();
	}

	@Test
	void outageThenOneLineAtItsBeginAndOneAtItsEnd() {
		for (int i = 0; i < 312; i++) {
			failed(StoreCommand.ACQUIRE, AWAY);
		}
		for (int i = 0; i < 42; i++) {
			this.outage.callFailed(new TransientStoreException("a", "Connection refused", null), this.monitor);
		}
		assertThat(lines()).singleElement()
			.asString()
			.startsWith("WARN The store does not answer: Connection refused: redis:6379. ");
		this.clock.skip(Duration.ofSeconds(31));
		answered(StoreCommand.ACQUIRE);
		answered(StoreCommand.ACQUIRE);
		assertThat(lines()).hasSize(2).last().isEqualTo("INFO The store answers again after 31s; 42 call(s) failed");
	}

	@Test
	void messageWithAFullStopThenItIsNotDoubled() {
		failed(StoreCommand.ACQUIRE, new TransientStoreException("", "Unexpected end of stream.", null));
		assertThat(lines())
			.containsExactly("WARN The store does not answer: Unexpected end of stream. Commands are repeated");
	}

	@Test
	void interruptOfACallerThenNeitherBeginsNorEndsAnOutage() {
		Throwable interrupt = new CompletionException(
				new TransientStoreException("", "Closed by interrupt", new InterruptedException()));
		failed(StoreCommand.ACQUIRE, interrupt);
		assertThat(lines()).isEmpty();
		failed(StoreCommand.ACQUIRE, AWAY);
		failed(StoreCommand.ACQUIRE, interrupt);
		assertThat(lines()).hasSize(1);
		answered(StoreCommand.ACQUIRE);
		assertThat(lines()).hasSize(2).last().asString().contains("answers again");
	}

	@Test
	void errorThenIsAnAnswer() {
		failed(StoreCommand.RENEW, FULL);
		assertThat(lines()).isEmpty();
		failed(StoreCommand.ACQUIRE, AWAY);
		failed(StoreCommand.RENEW, FULL);
		assertThat(lines()).hasSize(2).last().asString().contains("answers again");
	}

	@Test
	void refusalsThenOneLineAtTheirBeginAndOneAtTheirEnd() {
		for (int i = 0; i < 50; i++) {
			failed(StoreCommand.ACQUIRE, FULL);
			answered(StoreCommand.RELEASE);
		}
		assertThat(lines()).containsExactly(
				"WARN The store refused to grant a lock: No memory (acquire of lock 'a'): OOM command not allowed. "
						+ "Further refusals are counted");
		this.clock.skip(Duration.ofMinutes(3));
		answered(StoreCommand.ACQUIRE);
		answered(StoreCommand.ACQUIRE);
		assertThat(lines()).hasSize(2)
			.last()
			.isEqualTo("INFO The store grants locks again after 3m; it refused 50 time(s)");
	}

	/** A store that refuses to grant locks may also refuse releases and renewals. */
	@Test
	void releasesThatFailWhileAcquisitionsAreRefusedThenNoLine() {
		failed(StoreCommand.ACQUIRE, FULL);
		failed(StoreCommand.RELEASE, new TransientStoreException("a", "No memory (finish of lock 'a')",
				new IllegalStateException("OOM command not allowed")));
		this.clock.skip(Duration.ofSeconds(2));
		this.outage.check(Long.MAX_VALUE);
		failed(StoreCommand.ACQUIRE, FULL);
		assertThat(lines()).hasSize(1);
		failed(StoreCommand.RENEW, AWAY);
		assertThat(lines()).hasSize(2).last().asString().contains("does not answer");
	}

	@Test
	void callThatGetsNoAnswerAfterARefusalThenALineToo() {
		failed(StoreCommand.ACQUIRE, FULL);
		this.outage.callFailed(new TransientStoreException("a", "No answer", null), this.monitor);
		assertThat(lines()).hasSize(2).last().asString().contains("does not answer: No answer");
	}

	@Test
	void refusalsForAnotherReasonThenOnlyCounted() {
		failed(StoreCommand.ACQUIRE, FULL);
		failed(StoreCommand.ACQUIRE, refusal("NOPERM no permissions"));
		failed(StoreCommand.ACQUIRE, FULL);
		assertThat(lines()).singleElement().asString().contains("OOM command not allowed");
		answered(StoreCommand.ACQUIRE);
		assertThat(lines()).hasSize(2).last().asString().endsWith("it refused 3 time(s)");
	}

	/** Nothing may have been told of its reason yet. */
	@Test
	void refusalSoonAfterAnotherOneThenLoggedWithinASecond() {
		failed(StoreCommand.ACQUIRE, FULL);
		answered(StoreCommand.ACQUIRE);
		failed(StoreCommand.ACQUIRE, refusal("NOPERM no permissions"));
		this.clock.skip(Duration.ofMillis(999));
		long due = this.clock.nanoTime() + Duration.ofMillis(1).toNanos();
		assertThat(this.outage.check(due + 1)).isEqualTo(due);
		assertThat(this.outage.check(due - 1)).isEqualTo(due - 1);
		assertThat(lines()).hasSize(2);
		this.clock.skip(Duration.ofMillis(1));
		assertThat(this.outage.check(due + 1)).isEqualTo(due + 1);
		assertThat(lines()).hasSize(3).last().asString().contains("NOPERM no permissions");
	}

	/** The record of one key may be refused, while others are granted. */
	@Test
	void refusalOfOneKeyAmongOthersThenOneLineAMinute() {
		for (int i = 0; i < 60; i++) {
			failed(StoreCommand.ACQUIRE, FULL);
			answered(StoreCommand.ACQUIRE);
			this.clock.skip(Duration.ofMillis(900));
		}
		assertThat(lines()).hasSize(2);
		this.clock.skip(Duration.ofMinutes(1));
		failed(StoreCommand.ACQUIRE, FULL);
		assertThat(lines()).hasSize(3);
	}

	@Test
	void releasesThatAreNotConfirmedInAnOutageThenOnlyCounted() {
		failed(StoreCommand.RELEASE, AWAY);
		for (int i = 0; i < 100; i++) {
			this.outage.unconfirmed(() -> this.logger.warn("not confirmed"));
			this.outage.abandoned(() -> this.logger.warn("never confirmed"));
		}
		assertThat(lines()).hasSize(1);
		answered(StoreCommand.RELEASE);
		assertThat(lines()).hasSize(2)
			.last()
			.asString()
			.endsWith("; 0 call(s) failed, 100 release(s) were not confirmed in time");
	}

	@Test
	void releasesThatAreNotConfirmedByAStoreThatIsSilentThenTheFirstIsLogged() {
		for (int i = 0; i < 10; i++) {
			this.outage.unconfirmed(() -> this.logger.warn("not confirmed"));
		}
		assertThat(lines()).containsExactly("WARN not confirmed");
		answered(StoreCommand.ACQUIRE);
		assertThat(lines()).hasSize(1);
		answered(StoreCommand.RELEASE);
		assertThat(lines()).hasSize(2)
			.last()
			.isEqualTo("INFO The store confirms releases again after 0s; 9 more were not confirmed in time");
		this.outage.unconfirmed(() -> this.logger.warn("another one"));
		assertThat(lines()).hasSize(3).last().isEqualTo("WARN another one");
		answered(StoreCommand.RELEASE);
		assertThat(lines()).as("the line has said it all").hasSize(3);
	}

	@Test
	void storeThatIsStoppedWithReleasesLeftThenOneLine() {
		this.outage.stopped();
		assertThat(lines()).isEmpty();
		for (int i = 0; i < 10; i++) {
			this.outage.unconfirmed(() -> this.logger.warn("not confirmed"));
		}
		for (int i = 0; i < 10; i++) {
			this.outage.abandoned(() -> this.logger.warn("never confirmed"));
		}
		this.outage.stopped();
		assertThat(lines()).containsExactly("WARN not confirmed",
				"WARN The store never confirmed 10 release(s); these locks end with their leases");
	}

	@Test
	void storeThatIsStoppedWithManyReleasesUnderWayThenTwoLines() {
		for (int i = 0; i < 20_000; i++) {
			this.outage.abandoned(() -> this.logger.warn("never confirmed"));
		}
		this.outage.stopped();
		assertThat(lines()).containsExactly("WARN never confirmed",
				"WARN The store never confirmed 19999 release(s); these locks end with their leases");
	}

	@Test
	void manyShortOutagesWithinAMinuteThenOnlyTheFirstIsLogged() {
		for (int i = 0; i < 60; i++) {
			failed(StoreCommand.ACQUIRE, AWAY);
			answered(StoreCommand.ACQUIRE);
			this.clock.skip(Duration.ofMillis(900));
		}
		assertThat(lines()).hasSize(2);
		this.clock.skip(Duration.ofMinutes(1));
		failed(StoreCommand.ACQUIRE, AWAY);
		assertThat(lines()).hasSize(3);
	}

	@Test
	void secondOutageWithinAMinuteThenLoggedOnceItLasts() {
		failed(StoreCommand.ACQUIRE, AWAY);
		answered(StoreCommand.ACQUIRE);
		failed(StoreCommand.ACQUIRE, AWAY);
		this.clock.skip(Duration.ofMillis(999));
		failed(StoreCommand.ACQUIRE, AWAY);
		assertThat(lines()).hasSize(2);
		this.clock.skip(Duration.ofMillis(1));
		failed(StoreCommand.ACQUIRE, AWAY);
		failed(StoreCommand.ACQUIRE, AWAY);
		assertThat(lines()).hasSize(3);
		answered(StoreCommand.ACQUIRE);
		assertThat(lines()).hasSize(4).last().isEqualTo("INFO The store answers again after 1s; 0 call(s) failed");
	}

	private List<String> lines() {
		return this.log.events().stream().map((event) -> event.getLevel() + " " + event.getFormattedMessage()).toList();
	}

}

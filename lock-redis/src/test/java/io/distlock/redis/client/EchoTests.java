package io.distlock.redis.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import ch.qos.logback.classic.Level;
import io.distlock.output.LogLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/** When a subscription counts as dead, on virtual time. */
@Isolated // counts lines
class EchoTests {

	private final LogLines log = LogLines.of(Echo.class.getName());

	private final List<String> published = new ArrayList<>();

	private CompletableFuture<Long> answer = CompletableFuture.completedFuture(1L);

	private int renewals;

	private long now;

	private final Echo echo = new Echo((message) -> {
		this.published.add(message);
		return this.answer;
	}, () -> this.renewals++, () -> "Redis at a:1", () -> this.now);

	@AfterEach
	void listenNoMore() {
		this.log.close();
	}

	private void pass(Duration time) {
		this.now += time.toNanos();
	}

	/** As commands are sent all the time. */
	private void commandsFor(Duration time) {
		for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(100)) {
			pass(Duration.ofMillis(100));
			this.echo.look();
		}
	}

	private void commandsWithArrivalFor(Duration time) {
		for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(100)) {
			pass(Duration.ofMillis(100));
			int before = this.published.size();
			this.echo.look();
			if (this.published.size() > before) {
				assertThat(this.echo.heard(this.published.get(before))).isTrue();
			}
		}
	}

	@Test
	void messagesThatArriveThenNothingIsRenewed() {
		commandsWithArrivalFor(Duration.ofMinutes(1));
		assertThat(this.published).hasSizeBetween(10, 12).doesNotHaveDuplicates();
		assertThat(this.renewals).isZero();
		assertThat(this.log.events()).isEmpty();
	}

	@Test
	void messagesThatNoLongerArriveThenRenewedWithinTwelveSecondsWithOneLine() {
		commandsWithArrivalFor(Duration.ofMinutes(1));
		commandsFor(Duration.ofSeconds(12));
		assertThat(this.renewals).isOne();
		commandsWithArrivalFor(Duration.ofSeconds(30));
		assertThat(this.renewals).isOne();
		assertThat(this.log.messages(Level.WARN)).singleElement().asString().contains("Redis at a:1", "poll interval");
	}

	@Test
	void messagesThatNeverArriveThenRenewedAgainAndSaidOnce() {
		commandsFor(Duration.ofMinutes(1));
		assertThat(this.renewals).isGreaterThan(3);
		assertThat(this.log.messages(Level.WARN)).hasSize(1);
	}

	@Test
	void aSecondLossIsSaidToo() {
		commandsFor(Duration.ofSeconds(12));
		commandsWithArrivalFor(Duration.ofSeconds(12));
		commandsFor(Duration.ofSeconds(12));
		assertThat(this.renewals).isEqualTo(2);
		assertThat(this.log.messages(Level.WARN)).hasSize(2);
	}

	@Test
	void withoutCommandsNothingIsPublished() {
		pass(Duration.ofDays(1));
		assertThat(this.published).isEmpty();
		this.echo.look();
		assertThat(this.published).hasSize(1);
	}

	@Test
	void aServerThatDoesNotTakeTheMessageSaysNothingAboutTheSubscription() {
		this.answer = CompletableFuture.failedFuture(new IllegalStateException("away"));
		commandsFor(Duration.ofMinutes(1));
		this.answer = new CompletableFuture<>();
		commandsFor(Duration.ofMinutes(1));
		assertThat(this.published).hasSizeGreaterThan(10);
		assertThat(this.renewals).isZero();
	}

	/** After a standstill, the answer and the message come before the next look. */
	@Test
	void oneStandstillIsNoLoss() {
		pass(Echo.INTERVAL);
		this.echo.look();
		pass(Duration.ofSeconds(20));
		this.echo.look();
		assertThat(this.published).hasSize(2);
		assertThat(this.echo.heard(this.published.get(0))).isTrue();
		commandsWithArrivalFor(Duration.ofSeconds(20));
		assertThat(this.renewals).isZero();
	}

	@Test
	void messagesOfOthersAreLeftAlone() {
		assertThat(this.echo.heard("G;a;b")).isFalse();
		assertThat(this.echo.heard("P;1")).isFalse();
	}

}

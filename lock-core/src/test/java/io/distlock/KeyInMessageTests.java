package io.distlock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import io.distlock.spi.AcquireCommand;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A hostile key can neither break a line nor fill the log. */
class KeyInMessageTests {

	private static final String KEY = "a\r\nb" + "x".repeat(1 << 20);

	private static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");

	static Stream<String> messages() {
		LockRequest request = LockRequest.of(KEY);
		LockLoss lost = new LockLoss("default", "", KEY, 1, NOW, NOW, NOW, Duration.ofSeconds(1), "main", "",
				LossReason.EXPIRED);
		return Stream.of(new LockExpiringException(KEY, Duration.ZERO, Duration.ZERO).getMessage(),
				new LockInterruptedException(KEY, new InterruptedException()).getMessage(),
				new LockLostException(lost, null).getMessage(),
				new LockOverrun("default", "", KEY, 1, NOW, Duration.ZERO, "main", "", List.of()).describe(),
				new StaleFencingTokenException(KEY, 1, 2).getMessage(),
				catchThrowable(() -> request.leaseFor(Duration.ZERO)).getMessage(),
				catchThrowable(() -> request.waitAtMost(Duration.ofSeconds(-1))).getMessage(),
				catchThrowable(() -> request.maxWaiters(0)).getMessage());
	}

	@ParameterizedTest
	@MethodSource("messages")
	void messageHasNeitherLineBreaksNorAllOfALongKey(String message) {
		assertThat(message).contains("a\\r\\nbxxx", "\u2026 (1048580 characters)")
			.doesNotContain("\r", "\n")
			.hasSizeLessThan(1000);
	}

	static Stream<Object> reports() {
		Holder holder = new Holder(KEY, KEY, KEY, KEY, KEY, NOW);
		RequestId request = new RequestId("engine", 1);
		LockLoss lost = new LockLoss("default", "", KEY, 1, NOW, NOW, NOW, Duration.ofSeconds(1), KEY, KEY,
				LossReason.EXPIRED);
		return Stream.of(holder, holder.describe(NOW), lost, lost.describe(), new LockLostException(lost, null),
				new LockOverrun("default", "", KEY, 1, NOW, Duration.ZERO, KEY, KEY, List.of()),
				new LockOverrun("default", "", KEY, 1, NOW, Duration.ZERO, KEY, KEY, List.of()).describe(),
				new LockRequest.WaitLimit(Duration.ZERO, KEY), LockRequest.of(KEY),
				new AcquireCommand(KEY, request, Duration.ZERO, Sharing.EXCLUSIVE, false, 1, Duration.ZERO, holder),
				new RenewCommand(KEY, request, Duration.ZERO, 0),
				new LockSnapshot(KEY, request, holder, 1, Duration.ZERO, List.of(KEY), List.of()));
	}

	@ParameterizedTest
	@MethodSource("reports")
	void textOfAReportHasNeitherLineBreaksNorAllOfALongName(Object report) {
		assertThat(report.toString()).contains("a\\r\\nbxxx").doesNotContain("\r", "\n").hasSizeLessThan(6000);
	}

	@ParameterizedTest
	@MethodSource("blank")
	void requestWhenKeyIsBlankThenMessageHasNoLineBreaks(String key) {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of(key))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("\r", "\n").hasSizeLessThan(1000));
	}

	static Stream<String> blank() {
		return Stream.of("\r\n", " ".repeat(1 << 20));
	}

}

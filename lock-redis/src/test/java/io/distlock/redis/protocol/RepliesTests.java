package io.distlock.redis.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Replies of scripts, those of the usual case included, which are no lists. */
class RepliesTests {

	private static final long NOW = 1_700_000_000_000L;

	@Test
	void acquisitionWhenShortThenHasTheHoldAndTheTime() {
		List<Object> given = List.of(";7;" + (NOW + 30_000) + ";" + NOW * 1000 + ";64;");
		List<Object> reply = Replies.acquired(given, 7, 30_000);
		assertThat(Replies.code(reply)).isEqualTo(Replies.HELD);
		assertThat(Replies.grant(reply)).isEqualTo(new Grant(NOW * 1000, 64, NOW + 30_000, NOW));
		assertThat(Replies.storeTime(LockScript.ACQUIRE, reply)).isEqualTo(NOW);
		assertThat(Replies.waiters(reply)).isZero();
	}

	@Test
	void acquisitionWhenListThenIsThatList() {
		List<Object> given = List.of(2L, NOW, NOW + 1, 0L, 0L, 3L);
		assertThat(Replies.acquired(given, 7, 30_000)).isEqualTo(given);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ";", "OK", ";7;8;9", ";7;8;9;x;", ";7;;9;64;", "7;8;9;64",
			";7;8;9999999999999999999;1;", ";6;8;9;64;", "x7;8;9;64;", ";7;8;9;64", ";7;8;9;64;;", ";7;8;9;64;x" })
	void acquisitionWhenTextIsNoHoldThenIsRefused(String text) {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> Replies.acquired(List.of(text), 7, 30_000));
	}

	@Test
	void acquisitionWhenNumberThenIsRefused() {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> Replies.acquired(List.of(NOW), 7, 30_000));
	}

	@Test
	void releaseWhenShortThenReleasedAtThatTime() {
		List<Object> reply = Replies.finished(List.of(NOW));
		assertThat(Replies.finish(reply)).isEqualTo(FinishResult.RELEASED);
		assertThat(Replies.storeTime(LockScript.FINISH, reply)).isEqualTo(NOW);
	}

	@Test
	void releaseWhenListThenIsThatList() {
		List<Object> given = List.of(2L, NOW, 0L, 0L);
		assertThat(Replies.finished(given)).isEqualTo(given);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, -1, 999_999_999_999L })
	void releaseWhenNumberIsNoTimeThenIsRefused(long number) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> Replies.finished(List.of(number)))
			.withMessageContaining("time " + number);
	}

	@Test
	void textsOfWhatIsNoListIsAListOfOne() {
		assertThat(Replies.texts(bytes("größe"))).containsExactly("größe");
		assertThat(Replies.texts(NOW)).containsExactly(NOW);
		assertThat(Replies.texts(null)).isEmpty();
		assertThat(Replies.texts(Arrays.asList(1L, bytes("a"), null))).containsExactly(1L, "a", null);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}

package io.distlock;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class LockExceptionTests {

	private static final Instant NOW = Instant.parse("2026-01-01T10:00:00Z");

	private static final Holder HOLDER = new Holder("shop", "pod-7", "3f2a", "http-1", "OrderService.pay", NOW);

	static Stream<LockException> exceptions() {
		LockLoss loss = new LockLoss("default", "", "stock:42", 1, NOW, NOW, NOW, Duration.ofSeconds(1), "main", "",
				LossReason.EXPIRED);
		return Stream.of(new LockException("stock:42", "wrong", null),
				new LockBusyException("stock:42", "busy", Duration.ofSeconds(3), HOLDER),
				new LockStoreException("stock:42", "broken", new IOException()), new LockLostException(loss, null),
				new LockExpiringException("stock:42", Duration.ZERO, Duration.ofSeconds(1)),
				new LockInterruptedException("stock:42", new InterruptedException()),
				new StaleFencingTokenException("stock:42", 1, 2));
	}

	@ParameterizedTest
	@MethodSource("exceptions")
	void keyThenThatOfTheLockAlsoAfterSerialization(LockException exception) throws Exception {
		assertThat(exception.key()).isEqualTo("stock:42");
		LockException copy = copy(exception);
		assertThat(copy.key()).isEqualTo("stock:42");
		assertThat(copy).hasMessage(exception.getMessage());
	}

	@Test
	void holderAndLossThenSurviveSerialization() throws Exception {
		assertThat(copy(new LockBusyException("a", "busy", Duration.ZERO, HOLDER)).holder()).contains(HOLDER);
		LockLoss loss = new LockLoss("default", "", "a", 1, NOW, NOW, NOW, Duration.ofSeconds(1), "main", "",
				LossReason.TAKEN);
		assertThat(copy(new LockLostException(loss, null)).loss()).isEqualTo(loss);
	}

	@SuppressWarnings("unchecked")
	private static <T> T copy(T original) throws IOException, ClassNotFoundException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
			out.writeObject(original);
		}
		try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
			return (T) in.readObject();
		}
	}

	@Test
	void notRunningThenNamesTheStore() {
		assertThat(LockStoreException.notRunning("store on PostgreSQL at db:5432"))
			.hasMessage("The store on PostgreSQL at db:5432 is not running")
			.returns("", LockException::key);
	}

}

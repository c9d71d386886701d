package io.distlock.spring.definition;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.spring.InvalidLockDefinitionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LockDefinitionReaderTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	/** As the fixed text that a name is, an expression is one lock for all values. */
	@ParameterizedTest
	@ValueSource(strings = { "hash", "quoted", "template", "bean", "spaced", "placeholder", "permits" })
	void nameWhenItIsAnExpressionThenRefused(String method) {
		this.beans.addEmbeddedValueResolver((text) -> text.replace("${job.name}", "#tenant"));
		assertThatExceptionOfType(InvalidLockDefinitionException.class)
			.isThrownBy(() -> read(Expressions.class, method))
			.satisfies((ex) -> assertThat(ex.reason()).startsWith("name '")
				.endsWith("' is an expression, but a name is a fixed text"))
			.satisfies((ex) -> assertThat(ex.fix()).isEqualTo(
					"Write the expression into the key, and a name without it: name = \"job\", key = \"#tenant\""));
	}

	@Test
	void nameWhenFixedTextThenAccepted() {
		assertThat(read(Fixed.class, "inside").name()).isEqualTo("issue #5 of 'a'");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			lease | leaseTime "-1" is negative. Leave it out: the lock is renewed while the method runs
			waits | waitTime "-1" is negative. Leave it out for the default, or write "0" to try once
			hold  | maxHold "-1" is negative. Leave it out
			""")
	void timeWhenMinusOneThenSaysWhatElse(String method, String message) {
		assertThatExceptionOfType(InvalidLockDefinitionException.class).isThrownBy(() -> read(Negative.class, method))
			.withMessageEndingWith(": " + message);
	}

	private LockedMethod read(Class<?> type, String name) {
		Method method = Arrays.stream(type.getDeclaredMethods())
			.filter((each) -> each.getName().equals(name))
			.findAny()
			.orElseThrow();
		return new LockedMethods(this.beans, Map.of()).get(method, type);
	}

	static class Expressions {

		@DistributedLock(name = "#tenant")
		public void hash(String tenant) {
		}

		@DistributedLock(name = "'job-' + #tenant")
		public void quoted(String tenant) {
		}

		@DistributedLock(name = "job-#{#tenant}")
		public void template(String tenant) {
		}

		@DistributedLock(name = "#{@tenants.current()}", key = "#tenant")
		public void bean(String tenant) {
		}

		@DistributedLock(name = " #p0")
		public void spaced(String tenant) {
		}

		@DistributedLock(name = "${job.name}")
		public void placeholder(String tenant) {
		}

		@DistributedSemaphore(name = "job-#{#tenant}", permits = "2")
		public void permits(String tenant) {
		}

	}

	static class Fixed {

		@DistributedLock(name = "issue #5 of 'a'")
		public void inside() {
		}

	}

	static class Negative {

		@DistributedLock(name = "a", leaseTime = "-1")
		public void lease() {
		}

		@DistributedLock(name = "a", waitTime = "-1")
		public void waits() {
		}

		@DistributedLock(name = "a", maxHold = "-1")
		public void hold() {
		}

	}

}

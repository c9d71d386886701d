package io.distlock.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTests {

	private static final String MEMORY = "distributed-lock.store=memory";

	@ParameterizedTest
	@MethodSource
	void unknownPropertyIsWarnedOfWithTheNearestName(String key, String meant, CapturedOutput output) {
		start("distributed-lock." + key + "=secret");
		assertThat(output.toString().lines().filter((line) -> line.contains("does not exist"))).singleElement()
			.asString()
			.contains("WARN")
			.endsWith("The property distributed-lock." + key + " does not exist and has no effect."
					+ (meant.isEmpty() ? "" : " Did you mean " + meant + "?"));
		assertThat(output).doesNotContain("secret");
	}

	static Stream<Arguments> unknownPropertyIsWarnedOfWithTheNearestName() {
		String url = "distributed-lock.redis.url=redis://user:password@host:port";
		return Stream.of(arguments("wait-tme", "distributed-lock.wait-time"),
				arguments("locks.stock.wait-tiem", "distributed-lock.locks.stock.wait-time"),
				arguments("locks.stock.wait", "distributed-lock.locks.stock.wait-time"),
				arguments("locks[a.b].wait", "distributed-lock.locks[a.b].wait-time"),
				arguments("stores.audit.tpye", "distributed-lock.stores.audit.type"),
				arguments("stores.audit.jdbc.tabel", "distributed-lock.stores.audit.jdbc.table"),
				arguments("quarantine", "distributed-lock.redis.quarantine or distributed-lock.redlock.quarantine"),
				arguments("redis.host", url), arguments("redis.port", url), arguments("redis.password", url),
				arguments("stores.audit.redis.host",
						"distributed-lock.stores.audit.redis.url=redis://user:password@host:port"),
				arguments("jdbc.host", ""),
				arguments("prefix", "distributed-lock.jdbc.key-prefix or distributed-lock.redis.key-prefix"),
				arguments("redis.prefix", "distributed-lock.redis.key-prefix"),
				arguments("timeout", "distributed-lock.wait-time or distributed-lock.command-timeout"),
				arguments("locks.stock.timeout", "distributed-lock.locks.stock.wait-time"),
				arguments("redis.wait-time", "distributed-lock.wait-time"), arguments("watchdog", ""),
				// Names of the time before the first release.
				arguments("mode", "distributed-lock.advice-mode"), arguments("order", "distributed-lock.advice-order"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "waitTime=6s", "LEASE_TIME=31s", "redis.keyPrefix=a:", "redlock.nodes[0]=a:1",
			"locks.stock.store[0]=default", "locks[a.b].wait-time=1s", "stores.audit.redis.key-prefix=a:",
			"web.enabled=true" })
	void namesInAllSpellingsAreKnown(String property, CapturedOutput output) {
		start("distributed-lock." + property, "distributed-lock.stores.audit.type=memory");
		assertThat(output).doesNotContain("does not exist");
	}

	/** As a group of a YAML file whose entries are comments. */
	@ParameterizedTest
	@ValueSource(strings = { "redis", "jdbc", "stores.audit.redis" })
	void groupsWithoutEntriesAreNotWarnedOf(String group, CapturedOutput output) {
		start("distributed-lock." + group + "=");
		assertThat(output).doesNotContain("does not exist");
	}

	/** A module of somebody else, whose properties are a record or have setters. */
	@Test
	void propertiesOfAnotherModuleAreKnown(CapturedOutput output) {
		LockApplications
			.start(false, Foreign.class, MEMORY, "distributed-lock.file.folder=/tmp", "distributed-lock.bean.any=1")
			.close();
		assertThat(output).doesNotContain("does not exist");
		LockApplications.start(false, Foreign.class, MEMORY, "distributed-lock.file.foldr=/tmp").close();
		assertThat(output).contains("Did you mean distributed-lock.file.folder?");
	}

	@ParameterizedTest
	@ValueSource(strings = { "deep.options.retry=1", "deep.max_size=1", "deep.nodes[0].host=a", "method.any=1",
			"unregistered.folder=a", "stores.audit.unregistered.folder=a" })
	void propertiesOfAnotherModuleOfAnyShapeAreKnown(String property, CapturedOutput output) {
		LockApplications
			.start(false, Foreign.class, MEMORY, "distributed-lock.stores.audit.type=memory",
					"distributed-lock." + property)
			.close();
		assertThat(output).doesNotContain("does not exist");
	}

	private static void start(String... properties) {
		String[] all = Stream
			.concat(Stream.of(MEMORY, "distributed-lock.stores.audit.type=memory").distinct(), Stream.of(properties))
			.distinct()
			.toArray(String[]::new);
		LockApplications.start(false, FailureAnalysisTests.Empty.class, all).close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties({ FileProperties.class, BeanProperties.class, DeepProperties.class })
	static class Foreign {

		@Bean
		@ConfigurationProperties("distributed-lock.method")
		static MethodProperties methodProperties() {
			return new MethodProperties();
		}

		/** Binds its properties itself, without a bean of them. */
		@Bean
		static LockStoreFactory unregistered() {
			return new LockStoreFactory() {

				@Override
				public String type() {
					return "unregistered";
				}

				@Override
				public CreatedStore create(Definition definition) {
					throw new UnsupportedOperationException();
				}

			};
		}

	}

	static class MethodProperties {

		private int any;

		int getAny() {
			return this.any;
		}

		void setAny(int any) {
			this.any = any;
		}

	}

	@ConfigurationProperties("distributed-lock.deep")
	record DeepProperties(Map<String, String> options, List<Node> nodes, int max_size) {

		record Node(String host) {
		}

	}

	@ConfigurationProperties("distributed-lock.file")
	record FileProperties(String folder) {
	}

	@ConfigurationProperties("distributed-lock.bean")
	static class BeanProperties {

		private int any;

		int getAny() {
			return this.any;
		}

		void setAny(int any) {
			this.any = any;
		}

	}

}

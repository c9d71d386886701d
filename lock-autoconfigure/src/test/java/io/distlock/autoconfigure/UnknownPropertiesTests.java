package io.distlock.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTests {

	private static final String MEMORY = "distributed-lock.store=memory";

	@Test
	void unknownPropertiesAreWarnedOfWithTheNearestNames(CapturedOutput output) {
		Map<String, String> meant = new LinkedHashMap<>();
		meant.put("wait-tme", "distributed-lock.wait-time");
		meant.put("locks.stock.wait-tiem", "distributed-lock.locks.stock.wait-time");
		meant.put("locks.stock.wait", "distributed-lock.locks.stock.wait-time");
		meant.put("locks[a.b].wait", "distributed-lock.locks[a.b].wait-time");
		meant.put("stores.audit.tpye", "distributed-lock.stores.audit.type");
		meant.put("stores.audit.jdbc.tabel", "distributed-lock.stores.audit.jdbc.table");
		meant.put("quarantine", "distributed-lock.redis.quarantine or distributed-lock.redlock.quarantine");
		meant.put("redis.host", "distributed-lock.redis.url=redis://user:password@host:port");
		meant.put("redis.port", "distributed-lock.redis.url=redis://user:password@host:port");
		meant.put("redis.password", "distributed-lock.redis.url=redis://user:password@host:port");
		meant.put("stores.audit.redis.host", "distributed-lock.stores.audit.redis.url=redis://user:password@host:port");
		meant.put("jdbc.host", "");
		meant.put("prefix", "distributed-lock.jdbc.key-prefix or distributed-lock.redis.key-prefix");
		meant.put("redis.prefix", "distributed-lock.redis.key-prefix");
		meant.put("timeout", "distributed-lock.wait-time or distributed-lock.command-timeout");
		meant.put("locks.stock.timeout", "distributed-lock.locks.stock.wait-time");
		meant.put("redis.wait-time", "distributed-lock.wait-time");
		meant.put("watchdog", "");
		meant.put("stock.wait-time", "distributed-lock.locks.stock.wait-time");
		meant.put("lock.order.lease-time", "distributed-lock.locks.order.lease-time");
		meant.put("stock.colour", "");
		meant.put("lock.wait-time", "distributed-lock.wait-time");
		meant.put("webb.enabled", "distributed-lock.enabled or distributed-lock.web.enabled");
		// Names of the time before the first release.
		meant.put("mode", "distributed-lock.advice-mode");
		meant.put("order", "distributed-lock.advice-order");
		start(meant.keySet().stream().map((key) -> "distributed-lock." + key + "=secret").toArray(String[]::new));
		assertThat(output.toString().lines().filter((line) -> line.contains("does not exist")))
			.hasSameSizeAs(meant.keySet())
			.allSatisfy((line) -> assertThat(line).contains("WARN"))
			.map((line) -> line.substring(line.indexOf("The property ")))
			.containsExactlyInAnyOrderElementsOf(meant.entrySet()
				.stream()
				.map((each) -> "The property distributed-lock." + each.getKey() + " does not exist and has no effect."
						+ (each.getValue().isEmpty() ? "" : " Did you mean " + each.getValue() + "?"))
				.toList());
		assertThat(output).doesNotContain("secret");
	}

	/** Also groups whose entries are comments in a YAML file. */
	@Test
	void namesInAllSpellingsAndEmptyGroupsAreKnown(CapturedOutput output) {
		start("distributed-lock.waitTime=6s", "distributed-lock.LEASE_TIME=31s", "distributed-lock.redis.keyPrefix=a:",
				"distributed-lock.redlock.nodes[0]=a:1", "distributed-lock.locks.stock.store[0]=default",
				"distributed-lock.locks[a.b].wait-time=1s", "distributed-lock.stores.audit.redis.key-prefix=a:",
				"distributed-lock.web.enabled=true");
		start("distributed-lock.redis=", "distributed-lock.jdbc=", "distributed-lock.stores.audit.redis=");
		assertThat(output).doesNotContain("does not exist");
	}

	/** Somebody relies on what such a property does. */
	@ParameterizedTest
	@CsvSource({ "jdbc, lock-spring-boot-starter-jdbc", "zookeeper, lock-spring-boot-starter-zookeeper",
			"redlock, lock-redlock" })
	void propertiesOfAMissingModuleNameIt(String type, String module) {
		for (String scope : List.of("", "stores.audit.")) {
			String name = "distributed-lock." + scope + type + ".key-prefix";
			assertThat(UnknownProperties.warnings(List.of(ConfigurationPropertyName.of(name)),
					List.of("wait-time", "redis.key-prefix")))
				.singleElement()
				.asString()
				.startsWith("The property " + name + " has no effect, because the module of this store is not on the "
						+ "class path. Add " + module + " and ");
		}
	}

	@Test
	void propertyOfTheMissingModuleForOtherLibrariesNamesIt() {
		assertThat(UnknownProperties.warnings(
				List.of(ConfigurationPropertyName.of("distributed-lock.stores.old.foreign.key")), List.of("wait-time")))
			.singleElement()
			.asString()
			.endsWith("the module of this store is not on the class path. Add lock-migration, or remove the property.");
	}

	@Test
	void propertyOfAMissingModuleIsWarnedOf(CapturedOutput output) {
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withClassLoader(new FilteredClassLoader("io.distlock.jdbc"))
			.withPropertyValues(MEMORY, "distributed-lock.jdbc.commit-check=true")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("The property distributed-lock.jdbc.commit-check has no effect, because the module");
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

	@Test
	void propertiesOfAnotherModuleOfAnyShapeAreKnown(CapturedOutput output) {
		LockApplications
			.start(false, Foreign.class, MEMORY, "distributed-lock.stores.audit.type=memory",
					"distributed-lock.deep.options.retry=1", "distributed-lock.deep.max_size=1",
					"distributed-lock.deep.nodes[0].host=a", "distributed-lock.method.any=1",
					"distributed-lock.unregistered.folder=a", "distributed-lock.stores.audit.unregistered.folder=a")
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

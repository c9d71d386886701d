package io.distlock.autoconfigure.store;

import java.util.UUID;

import io.distlock.databases.ZooKeeperServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.spi.LockStore;
import io.distlock.zookeeper.ZooKeeperLockStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications on what Spring generates for each store ahead of time. Addresses are read
 * when they start.
 */
@Tag("newest-line")
@CompileWithForkedClassLoader
class AheadOfTimeStoreTests {

	@Test
	void database() {
		run(LockApplications.database(), "jdbc", "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
				JdbcLockStore.class);
	}

	@Test
	void zooKeeper() throws Exception {
		try (ZooKeeperServer server = ZooKeeperServer.start()) {
			run(AutoConfigurations.of(), "zookeeper", "distributed-lock.zookeeper.connect-string=" + server.address(),
					ZooKeeperLockStore.class);
		}
	}

	private static void run(AutoConfigurations connections, String name, String address,
			Class<? extends LockStore> type) {
		String store = "distributed-lock.store=" + name;
		TestGenerationContext generated = new TestGenerationContext();
		try (AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext()) {
			TestPropertyValues.of(store).applyTo(source);
			source.register(AutoConfigurations.getClasses(LockApplications.withoutRedis(), connections));
			source.register(Jobs.class);
			new ApplicationContextAotGenerator().processAheadOfTime(source, generated);
		}
		generated.writeGeneratedContent();
		assertThat(RuntimeHintsPredicates.resource().forResource("io/distlock/jdbc/schema-h2.sql"))
			.accepts(generated.getRuntimeHints());
		TestCompiler.forSystem().with(generated).compile((compiled) -> {
			ApplicationContextInitializer<GenericApplicationContext> initializer = compiled
				.getInstance(ApplicationContextInitializer.class);
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				TestPropertyValues.of(store, address, "distributed-lock.command-timeout=10s").applyTo(context);
				initializer.initialize(context);
				context.refresh();
				assertThat(context.getBean(LockStore.class)).isInstanceOf(type);
				assertThat(context.getBean(Jobs.class).run("a")).isEqualTo("job:a");
			}
		});
	}

	static class Jobs {

		@DistributedLock(name = "job", key = "#id")
		public String run(String id) {
			return LockContext.current().orElseThrow().key();
		}

	}

}

package com.example.lock.file;

import java.util.UUID;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.spi.LockStore;
import io.distlock.stores.LockTemplates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** A type of store that nothing of this project knows of. */
@ExtendWith(OutputCaptureExtension.class)
class ForeignStoreTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, LockAutoConfiguration.class,
				LockAnnotationAutoConfiguration.class, FileLockAutoConfiguration.class))
		.withBean(Job.class);

	private final String folder = "distributed-lock.file.folder=" + UUID.randomUUID();

	@Test
	void typeIsSelectedAsTheDefaultStore() {
		ApplicationContextRunner node = this.runner.withPropertyValues("distributed-lock.store=file", this.folder);
		node.run((one) -> node.run((other) -> {
			assertThat(one.getBean(LockStore.class).describe()).startsWith("folder ");
			assertThat(one.getBean(Job.class).run("a")).isEqualTo("job:a");
			try (LockHandle lock = one.getBean(LockTemplate.class).acquire("job:a")) {
				assertThat(other.getBean(LockTemplate.class).isLocked(lock.key())).isTrue();
			}
		}));
	}

	/** As in an application with the module on its class path, perhaps among others. */
	@Test
	void moduleIsFoundOnTheClassPath() {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues("distributed-lock.store=file", this.folder)
			.run((context) -> assertThat(context.getBean(Job.class).run("a")).isEqualTo("job:a"));
	}

	@Test
	void typeIsSelectedForANamedStoreWithPropertiesOfItsOwn() {
		this.runner
			.withPropertyValues("distributed-lock.store=memory", "distributed-lock.stores.archive.type=file",
					"distributed-lock.stores.archive.file.folder=archive", "distributed-lock.locks.job.store=archive")
			.run((context) -> {
				LockTemplates templates = context.getBean(LockTemplates.class);
				assertThat(templates.places().get("archive")).isEqualTo("folder archive for job");
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire("job:a")) {
					assertThat(templates.of("archive").isLocked(lock.key())).isTrue();
					assertThat(templates.of("default").isLocked(lock.key())).isFalse();
				}
			});
	}

	@Test
	void typeIsKnownToWhoeverMisspellsIt() {
		this.runner.withPropertyValues("distributed-lock.store=fiel")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("The property distributed-lock.store is 'fiel', but there is no such store. "
						+ "Did you mean file? Known are: file, memory."));
	}

	@Test
	void typeThatHasToBeChosenIsNotChosenByItself() {
		this.runner.withPropertyValues(this.folder)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("There is no store to keep locks in: no LockStore bean."));
	}

	@Test
	void mistakeNamesThePropertyOfTheStore() {
		this.runner.withPropertyValues("distributed-lock.store=memory", "distributed-lock.stores.archive.type=file")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageStartingWith("The property distributed-lock.stores.archive.file.folder is not set."));
	}

	@Test
	void propertiesOfTheModuleAreKnown(CapturedOutput output) {
		this.runner.withPropertyValues("distributed-lock.store=file", this.folder, "distributed-lock.file.foldr=x")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("does not exist and has no effect")
			.contains("Did you mean distributed-lock.file.folder?");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Job job() {
			return new Job();
		}

	}

	static class Job {

		@DistributedLock(name = "job", key = "#id")
		public String run(String id) {
			return LockContext.current().orElseThrow().key();
		}

	}

}

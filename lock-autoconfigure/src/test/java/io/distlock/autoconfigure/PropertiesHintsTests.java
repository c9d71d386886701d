package io.distlock.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;

import static org.assertj.core.api.Assertions.assertThat;

/** Whether a native image can say which properties there are. */
class PropertiesHintsTests {

	private static final TestGenerationContext GENERATED = new TestGenerationContext();

	@BeforeAll
	static void generate() {
		try (AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext()) {
			source.register(AutoConfigurations.getClasses(LockApplications.withoutRedis()));
			new ApplicationContextAotGenerator().processAheadOfTime(source, GENERATED);
		}
	}

	/** An image knows no component of a record whose accessors have no hints. */
	@ParameterizedTest
	@ValueSource(strings = { "LockProperties", "LockProperties$Lock", "LockProperties$Web", "redis.RedisLockProperties",
			"redis.RedlockProperties", "jdbc.JdbcLockProperties", "zookeeper.ZooKeeperLockProperties" })
	void componentsHaveHints(String name) throws ClassNotFoundException {
		Class<?> properties = Class.forName(LockProperties.class.getPackageName() + "." + name);
		TypeHint hint = GENERATED.getRuntimeHints().reflection().getTypeHint(properties);
		assertThat(hint).isNotNull();
		assertThat(hint.methods().map(ExecutableHint::getName)).contains(
				Arrays.stream(properties.getRecordComponents()).map(RecordComponent::getName).toArray(String[]::new));
	}

}

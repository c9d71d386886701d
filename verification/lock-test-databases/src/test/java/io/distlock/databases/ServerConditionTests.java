package io.distlock.databases;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ServerConditionTests {

	private final NeedsServer server = Needing.class.getAnnotation(NeedsServer.class);

	@Test
	void serverThatIsThereIsUsed() {
		assertThat(ServerCondition.evaluate(this.server, "required", "exampled"::equals).isDisabled()).isFalse();
	}

	@Test
	void missingServerIsNamedWithItsPackage() {
		assertThat(ServerCondition.evaluate(this.server, "optional", (command) -> false).getReason()).get()
			.asString()
			.endsWith("not on the PATH: exampled; install example-server");
	}

	@Test
	void missingServerThatIsRequiredFails() {
		assertThatIllegalStateException()
			.isThrownBy(() -> ServerCondition.evaluate(this.server, "required", (command) -> false))
			.withMessageContaining("install example-server");
	}

	@Test
	void oneMissingCommandOfSeveralIsNamed() {
		NeedsServer several = NeedsMariaDb.class.getAnnotation(NeedsServer.class);
		assertThat(ServerCondition.evaluate(several, "optional", (command) -> !command.equals("my_print_defaults"))
			.getReason()).get()
			.asString()
			.endsWith("not on the PATH: my_print_defaults; install mariadb-server-core mariadb-client-core");
	}

	@NeedsServer(commands = "exampled", debianPackages = "example-server")
	private static final class Needing {

	}

}

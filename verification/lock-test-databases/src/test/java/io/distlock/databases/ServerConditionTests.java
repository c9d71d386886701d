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
		assertThat(ServerCondition.evaluate(this.server, "optional", (command) -> false).getReason())
			.contains("exampled is missing; install example-server");
	}

	@Test
	void missingServerThatIsRequiredFails() {
		assertThatIllegalStateException()
			.isThrownBy(() -> ServerCondition.evaluate(this.server, "required", (command) -> false))
			.withMessageContaining("install example-server");
	}

	@NeedsServer(command = "exampled", debianPackage = "example-server")
	private static final class Needing {

	}

}

package io.distlock.lab.fencing;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.distlock.lab.LabApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(600)
@Tag("ci")
class FencingDemoTests {

	@Test
	void runWhenHolderIsFrozenThenItsFencedWriteIsRefusedAndTheOtherIsNot() {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		int status = new FencingDemo(LabApplication.class, new PrintStream(out, true, StandardCharsets.UTF_8)).run();
		List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
		assertThat(lines)
			.anySatisfy((line) -> assertThat(line).matches("  first: was refused: Fencing token \\d+ is too "
					+ "old for 'lab:price:fenced', which has seen \\d+: .*"));
		assertThat(lines.get(lines.size() - 2))
			.isEqualTo("unfenced: written by the first process last, as if the second had never been");
		assertThat(lines.get(lines.size() - 1))
			.isEqualTo("fenced: written by the second process last, stale write refused=true, loss told=true");
		assertThat(status).isZero();
	}

}

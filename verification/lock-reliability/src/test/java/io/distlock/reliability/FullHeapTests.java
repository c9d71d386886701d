package io.distlock.reliability;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import io.distlock.reliability.rig.FullHeap;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** No memory is left for a while: afterwards everything goes on. */
class FullHeapTests {

	@Test
	void heapWhenFullForAWhileThenRenewalsAndTimeLimitsGoOn() throws IOException, InterruptedException {
		int seconds = Pass.current().of(5, 15);
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx64m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), FullHeap.class.getName(),
				String.valueOf(seconds))
			.redirectErrorStream(true)
			.start();
		List<String> output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()
			.toList();
		assertThat(process.waitFor()).as("%s", output).isZero();
		assertThat(output).contains("time limit kept: true", "renewed: true", "overdue: false");
	}

}

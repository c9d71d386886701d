package io.distlock.lab.web;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.lab.LabApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs that others will watch are recorded on a quiet machine only. */
class CalibrationTests {

	@TempDir
	private Path folder;

	@Test
	void leastShareThenThatOfTheSlowestThread() throws InterruptedException {
		AtomicInteger threads = new AtomicInteger();
		assertThat(new Calibration(4, () -> (threads.incrementAndGet() == 3) ? 0.2 : 0.9).leastShare()).isEqualTo(0.2);
		assertThat(threads).hasValue(4);
	}

	@Test
	void spinThenAShareOfItsTime() {
		assertThat(new Spin(Duration.ofMillis(50)).call()).isPositive().isLessThan(1.1);
	}

	@Test
	void recordWhenTheMachineIsBusyThenSaysSoAndRecordsNothing() {
		ByteArrayOutputStream said = new ByteArrayOutputStream();
		Recorder recorder = new Recorder(this.folder, new PrintStream(said, true, StandardCharsets.UTF_8),
				new Calibration(2, () -> 0.31));
		assertThat(recorder.run(LabApplication.class)).isOne();
		assertThat(said.toString(StandardCharsets.UTF_8)).contains("Nothing was recorded").contains("31 %");
		assertThat(this.folder.resolve("runs.json")).doesNotExist();
		assertThat(this.folder.resolve("runs")).isEmptyDirectory();
	}

}

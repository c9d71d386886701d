package io.distlock.lab.demo;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.distlock.lab.LabApplication;
import io.distlock.test.Standstill;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("ci")
class DemoTests {

	@Test
	void runWhenTwoNodesSellThenOnlyTheLockedSaleIsExact() throws Exception {
		// A stalled machine can outlast the lease of two seconds.
		Standstill.repeat(DemoTests::sell);
	}

	private static void sell() {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		int status = new Demo(LabApplication.class, new PrintStream(out, true, StandardCharsets.UTF_8))
			.run("--lab.demo.items=300", "--lab.demo.threads=16", "--lab.demo.strategies=nothing,guarded-redis");
		List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
		assertThat(lines).hasSize(4);
		assertThat(lines.get(2)).matches("nothing +none +\\d+ +\\d+ +[1-9]\\d* .*  Oversold by .*");
		assertThat(lines.get(3))
			.matches("guarded-redis +freeze-holder +300 +0 +0 +0 +0 +0 .*  Exact: 300 sold; 0 left, 0 oversold\\.");
		assertThat(status).isZero();
	}

}

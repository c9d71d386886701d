package io.distlock.sample.demo;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.distlock.sample.ShopApplication;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DemoTests {

	@Test
	void runWhenTwoNodesSellThenOnlyTheLockedSaleIsExact() {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		int status = new Demo(ShopApplication.class, new PrintStream(out, true, StandardCharsets.UTF_8))
			.run("--shop.demo.items=300", "--shop.demo.threads=16");
		List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
		assertThat(lines.get(lines.size() - 2))
			.matches("unlocked: sold=\\d+ left=\\d+ oversold=[1-9]\\d* seconds=\\d+\\.\\d\\d sales/s=\\d+");
		assertThat(lines.get(lines.size() - 1))
			.matches("locked: sold=300 left=0 oversold=0 seconds=\\d+\\.\\d\\d acquisitions/s=\\d+");
		assertThat(status).isZero();
	}

}

package com.example.shop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The class that the README shows, in two applications with one Redis and one database.
 */
class ReadmeExampleTests {

	private static ConfigurableApplicationContext one;

	private static ConfigurableApplicationContext two;

	@BeforeAll
	static void start() {
		one = application();
		two = application();
		one.getBean(JdbcClient.class)
			.sql("create table voucher (owner bigint, code varchar(20), claimed_on date)")
			.update();
	}

	private static ConfigurableApplicationContext application() {
		return new SpringApplicationBuilder(ShopApplication.class).web(WebApplicationType.NONE)
			.run("--spring.datasource.url=jdbc:h2:mem:readme;DB_CLOSE_DELAY=-1", "--spring.sql.init.mode=never",
					"--spring.datasource.hikari.maximum-pool-size=4", "--distributed-lock.command-timeout=10s",
					"--distributed-lock.locks.vouchers.wait-time=60s");
	}

	@AfterAll
	static void stop() {
		two.close();
		one.close();
	}

	@BeforeEach
	void empty() {
		one.getBean(JdbcClient.class).sql("delete from voucher").update();
	}

	/**
	 * Eight threads of two applications claim, so without the lock several would be too
	 * many.
	 */
	@Test
	void noUserGetsMoreThanThreeVouchersADay() throws Exception {
		ExecutorService customers = Executors.newFixedThreadPool(8);
		AtomicInteger refused = new AtomicInteger();
		try {
			List<Future<?>> claims = new ArrayList<>();
			for (int i = 0; i < 40; i++) {
				VoucherService vouchers = ((i % 2 == 0) ? one : two).getBean(VoucherService.class);
				claims.add(customers.submit(() -> {
					try {
						vouchers.claim(42, "summer");
					}
					catch (DailyLimitException ex) {
						refused.incrementAndGet();
					}
				}));
			}
			for (Future<?> claim : claims) {
				claim.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			customers.shutdownNow();
		}
		assertThat(refused).hasValue(37);
		assertThat(vouchers()).isEqualTo(3);
	}

	private static int vouchers() {
		return one.getBean(JdbcClient.class).sql("select count(*) from voucher").query(Integer.class).single();
	}

	@Test
	void claimWhenAnotherApplicationHasTheLockThenSaysSo() {
		try (ConfigurableApplicationContext impatient = new SpringApplicationBuilder(ShopApplication.class)
			.web(WebApplicationType.NONE)
			.run("--spring.datasource.url=jdbc:h2:mem:readme;DB_CLOSE_DELAY=-1", "--spring.sql.init.mode=never",
					"--distributed-lock.locks.vouchers.wait-time=0s");
				LockHandle lock = one.getBean(LockTemplate.class).acquire("vouchers:42")) {
			VoucherService vouchers = impatient.getBean(VoucherService.class);
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> vouchers.claim(42, "summer"))
				.withMessageContaining("held by shop@");
			assertThat(lock.isHeld()).isTrue();
		}
	}

}

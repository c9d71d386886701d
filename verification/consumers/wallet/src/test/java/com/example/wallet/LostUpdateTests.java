package com.example.wallet;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.example.wallet.WalletApplication.FraudCheck;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Two instances that pay from one wallet, with one database and one Redis. */
class LostUpdateTests {

	@Test
	void eachPaymentLeavesABalanceOfItsOwn() throws Exception {
		assertThat(balances(40, 50)).hasSize(40).doesNotHaveDuplicates().contains(960L);
	}

	@Test // so the test above can fail
	void withoutTheLockAPaymentIsLost() throws Exception {
		assertThat(balances(2, 60_000, "distributed-lock.locks.wallet.enabled=false")).containsExactly(999L, 999L);
	}

	/** Returns what each payment of 1 left of 1000. */
	private static List<Long> balances(int payments, long patience, String... properties) throws Exception {
		ExecutorService payers = Executors.newFixedThreadPool(8);
		FraudCheck slow = slow(patience);
		try (RedisServer redis = RedisServer.start();
				ConfigurableApplicationContext one = start(redis, slow, properties);
				ConfigurableApplicationContext two = start(redis, slow, properties)) {
			one.getBean(WalletRepository.class).save(new Wallet("ann", 1000));
			List<Callable<Long>> all = new ArrayList<>();
			for (int i = 0; i < payments; i++) {
				WalletService wallets = ((i % 2 == 0) ? one : two).getBean(WalletService.class);
				all.add(() -> WalletTests.as("ann", () -> wallets.pay("ann", 1)));
			}
			List<Long> balances = new ArrayList<>();
			for (Future<Long> payment : payers.invokeAll(all)) {
				balances.add(payment.get());
			}
			return balances;
		}
		finally {
			payers.shutdownNow();
		}
	}

	// tag::slow[]
	/** Between the read and the write a payment waits for another one that has read. */
	private static FraudCheck slow(long patience) {
		Exchanger<String> meeting = new Exchanger<>();
		return (owner, amount) -> {
			try {
				meeting.exchange(owner, patience, TimeUnit.MILLISECONDS);
			}
			catch (TimeoutException ex) {
				// The lock keeps the others away.
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		};
	}
	// end::slow[]

	private static ConfigurableApplicationContext start(RedisServer redis, FraudCheck fraud, String... properties) {
		return new SpringApplicationBuilder(WalletApplication.class).properties(properties)
			.properties("spring.data.redis.port=" + redis.port(), "spring.main.web-application-type=none",
					"spring.datasource.url=jdbc:h2:mem:" + redis.port() + ";DB_CLOSE_DELAY=-1",
					"spring.jpa.hibernate.ddl-auto=update", "distributed-lock.locks.wallet.wait-time=5m")
			.initializers((context) -> ((GenericApplicationContext) context).registerBean("slow", FraudCheck.class,
					() -> fraud, (definition) -> definition.setPrimary(true)))
			.run();
	}

}

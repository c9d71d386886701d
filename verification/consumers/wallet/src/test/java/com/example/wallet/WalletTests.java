package com.example.wallet;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import com.example.wallet.WalletApplication.Paid;
import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.boot.test.AutoConfigureDistributedLocks;
import io.distlock.boot.test.LockTester;
import io.distlock.operations.LockOperations;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

/** What the lock is outside of, and inside of. */
@SpringBootTest
@AutoConfigureDistributedLocks(store = AutoConfigureDistributedLocks.Store.CONFIGURED, waitTime = "1m")
@Import({ WalletTests.Receipts.class, WalletTests.Careless.class })
class WalletTests {

	private static final RedisServer REDIS = RedisServer.start();

	@Autowired
	private WalletService wallets;

	@Autowired
	private JdbcTemplate database;

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry properties) {
		properties.add("spring.data.redis.port", REDIS::port);
	}

	@AfterAll
	static void stop() {
		REDIS.close();
	}

	@BeforeEach
	void fill() {
		this.database.update("delete from wallet");
		this.database.update("insert into wallet (owner, balance) values ('ann', 100)");
	}

	static <T> T as(String user, Callable<T> call) throws Exception {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken(user, "", "ROLE_USER"));
		try {
			return call.call();
		}
		finally {
			SecurityContextHolder.clearContext();
		}
	}

	private long balance() {
		return this.database.queryForObject("select balance from wallet", Long.class);
	}

	@Test
	void callerWithoutTheRightAsksForNoLock(@Autowired LockTester locks) {
		locks.busy("wallet:ann");
		assertThatExceptionOfType(AccessDeniedException.class)
			.isThrownBy(() -> as("eve", () -> this.wallets.pay("ann", 1)));
	}

	@Test
	void lockIsReleasedAfterTheCommit(@Autowired Receipts receipts, @Autowired LockTemplate locks) throws Exception {
		as("ann", () -> this.wallets.pay("ann", 1));
		assertThat(receipts.lockedAfterCommit).isTrue();
		assertThat(locks.isLocked("wallet:ann")).isFalse();
	}

	@Test
	void orderIsOneTransactionUnderOneLock(@Autowired LockTester locks) throws Exception {
		assertThat(as("ann", () -> this.wallets.order("ann", List.of(10L, 20L)))).isEqualTo(70);
		assertThat(balance()).isEqualTo(70);
		assertThat(locks).acquired("wallet:ann").once();
	}

	/** Open-in-view: the service gets the entity that the controller has read. */
	@Test
	void paymentSeesWhatTheHolderBeforeItHasWritten(@Autowired WebApplicationContext context,
			@Autowired LockTester locks, @Autowired LockOperations operations) throws Exception {
		MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).build();
		FutureTask<String> payment = new FutureTask<>(
				() -> as("ann", () -> mvc.perform(post("/wallets/ann/payments").param("amount", "1"))).andReturn()
					.getResponse()
					.getContentAsString());
		try (LockHandle other = locks.busy("wallet:ann")) {
			CompletableFuture.runAsync(payment);
			await().atMost(1, TimeUnit.MINUTES).until(() -> !operations.waitingHere().isEmpty());
			this.database.update("update wallet set balance = 50");
		}
		assertThat(payment.get(1, TimeUnit.MINUTES)).isEqualTo("49");
		assertThat(balance()).isEqualTo(49);
	}

	@Test
	void callWithinTheBeanTakesNoLock(@Autowired Careless careless) {
		assertThat(careless.pay("ann")).isTrue();
		assertThat(careless.order("ann")).isFalse();
	}

	@Test
	void callWithinTheBeanIsRefusedIfYouWant() {
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> new SpringApplicationBuilder(WalletApplication.class, Careless.class)
				.properties("spring.data.redis.port=" + REDIS.port(), "distributed-lock.self-invocation=fail")
				.run("--spring.main.web-application-type=none"))
			.withMessageContaining("order() calls WalletTests.Careless.pay(String) of its own object")
			.withMessageContaining("ObjectProvider<");
	}

	static class Receipts {

		private final LockTemplate locks;

		private boolean lockedAfterCommit;

		Receipts(LockTemplate locks) {
			this.locks = locks;
		}

		@TransactionalEventListener
		void send(Paid paid) {
			this.lockedAfterCommit = this.locks.isLocked("wallet:" + paid.owner());
		}

	}

	/** As it was before the move. */
	static class Careless {

		public boolean order(String owner) {
			return pay(owner);
		}

		@DistributedLock(name = "careless", key = "#owner")
		public boolean pay(String owner) {
			return LockContext.current().isPresent();
		}

	}

}

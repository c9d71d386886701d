package io.distlock.sample.voucher;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.sample.SecondNode;
import io.distlock.sample.Shop;
import io.distlock.test.TestThreads;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { SecondNode.PATIENT_STOCK, SecondNode.PATIENT_LOCK })
class VoucherWebTests {

	private static SecondNode other;

	@LocalServerPort
	private int port;

	@Autowired
	private JdbcClient jdbc;

	@Autowired
	private OrderBook orders;

	@BeforeAll
	static void startOtherNode() {
		other = new SecondNode();
	}

	@AfterAll
	static void stopOtherNode() {
		other.close();
	}

	@Test
	void orderWhenFirstThenCreated() {
		HttpResponse<String> answer = new Shop(this.port).post("/vouchers/spring/orders?user=ann");
		assertThat(answer.statusCode()).isEqualTo(201);
		assertThat(answer.body()).contains("\"voucher\":\"spring\"", "\"user\":\"ann\"");
	}

	@Test
	void orderWhenSameUserComesAgainThenConflict() {
		Shop shop = new Shop(this.port);
		shop.post("/vouchers/spring/orders?user=ben");
		HttpResponse<String> answer = shop.post("/vouchers/spring/orders?user=ben");
		assertThat(answer.statusCode()).isEqualTo(409);
		assertThat(answer.body()).contains("User 'ben' has already ordered voucher 'spring'");
	}

	@Test
	void orderWhenUserClicksManyTimesOnTwoNodesThenOneOrderIsWritten() {
		List<HttpResponse<String>> answers = new Shop(this.port, other.port()).post("/vouchers/summer/orders?user=cem",
				50);
		assertThat(answers).filteredOn((answer) -> answer.statusCode() == 201).hasSize(1);
		assertThat(answers).filteredOn((answer) -> answer.statusCode() == 409).hasSize(49);
		assertThat(ordersOf("cem")).isEqualTo(1);
	}

	@Test
	void orderWhenLockIsHeldElsewhereThenConflictThatShowsNothingOfTheLock() {
		try (LockHandle held = other.bean(LockTemplate.class).acquire("voucher:Claim[voucher=winter, user=dora]")) {
			HttpResponse<String> answer = new Shop(this.port).post("/vouchers/winter/orders?user=dora");
			assertThat(answer.statusCode()).isEqualTo(409);
			assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
			assertThat(answer.body()).contains("Another request is using the same resource")
				.doesNotContain("Claim[voucher=winter", "other-shop");
			assertThat(held.isHeld()).isTrue();
		}
		assertThat(ordersOf("dora")).isZero();
		assertThat(new Shop(this.port).post("/vouchers/winter/orders?user=dora").statusCode()).isEqualTo(201);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/vouchers/spring/orders?user=", "/vouchers/spring/orders?user=%20", "/stock/%20/deduct" })
	void orderWhenANameIsBlankThenBadRequest(String path) {
		HttpResponse<String> answer = new Shop(this.port).post(path);
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.body()).contains("must not be blank").doesNotContain("DistributedLock");
	}

	/** As a process does whose lock has ended. */
	@Test
	void orderWhenWrittenWithoutTheLockThenTheTableRefusesASecondOne() throws Exception {
		ConcurrentLinkedQueue<String> answers = new ConcurrentLinkedQueue<>();
		List<TestThreads.Task<Void>> clicks = IntStream.range(0, 8).mapToObj((i) -> TestThreads.runInThread(() -> {
			try {
				this.orders.write(new Claim("spring", "emil"));
				answers.add("written");
			}
			catch (AlreadyOrderedException ex) {
				answers.add("refused");
			}
		})).toList();
		for (TestThreads.Task<Void> click : clicks) {
			click.get();
		}
		assertThat(answers).hasSize(8).containsOnlyOnce("written");
		assertThat(ordersOf("emil")).isOne();
		assertThatExceptionOfType(DuplicateKeyException.class)
			.isThrownBy(() -> this.jdbc.sql("insert into voucher_order (voucher, customer) values ('spring', 'emil')")
				.update());
	}

	private int ordersOf(String user) {
		return this.jdbc.sql("select count(*) from voucher_order where customer = ?")
			.param(user)
			.query(Integer.class)
			.single();
	}

}

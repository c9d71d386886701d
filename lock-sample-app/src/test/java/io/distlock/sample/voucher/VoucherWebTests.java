package io.distlock.sample.voucher;

import java.net.http.HttpResponse;
import java.util.List;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.sample.SecondNode;
import io.distlock.sample.Shop;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class VoucherWebTests {

	private static SecondNode other;

	@LocalServerPort
	private int port;

	@Autowired
	private JdbcClient jdbc;

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
		try (LockHandle held = other.bean(LockTemplate.class).acquire("voucher:6:winter:dora")) {
			HttpResponse<String> answer = new Shop(this.port).post("/vouchers/winter/orders?user=dora");
			assertThat(answer.statusCode()).isEqualTo(409);
			assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
			assertThat(answer.body()).contains("Another request is using the same resource")
				.doesNotContain("voucher:6:winter", "other-shop");
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

	private int ordersOf(String user) {
		return this.jdbc.sql("select count(*) from voucher_order where customer = ?")
			.param(user)
			.query(Integer.class)
			.single();
	}

}

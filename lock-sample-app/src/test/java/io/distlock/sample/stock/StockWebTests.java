package io.distlock.sample.stock;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.distlock.sample.SecondNode;
import io.distlock.sample.Shop;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { SecondNode.PATIENT_STOCK, SecondNode.PATIENT_LOCK })
class StockWebTests {

	@LocalServerPort
	private int port;

	@Autowired
	private Shelf shelf;

	private Shop shop;

	@BeforeEach
	void connect() {
		this.shop = new Shop(this.port);
	}

	@Test
	void levelWhenShopOpensThenHasOpeningStock() {
		assertThat(this.shop.get("/stock/chair").body()).isEqualTo("{\"sku\":\"chair\",\"left\":3}");
	}

	@Test
	void levelWhenItemIsUnknownThenNotFound() {
		assertThat(this.shop.get("/stock/unicorn").statusCode()).isEqualTo(404);
	}

	@Test
	void deductWhenQuantityGivenThenAnswersWhatIsLeft() {
		this.shelf.put("lamp", 10);
		HttpResponse<String> answer = this.shop.post("/stock/lamp/deduct?quantity=4");
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(answer.body()).isEqualTo("{\"sku\":\"lamp\",\"left\":6}");
	}

	@Test
	void deductWhenTooFewAreLeftThenConflictAndNothingTaken() {
		this.shelf.put("desk", 1);
		HttpResponse<String> answer = this.shop.post("/stock/desk/deduct?quantity=2");
		assertThat(answer.statusCode()).isEqualTo(409);
		assertThat(answer.body()).contains("Sold out: 2 of 'desk' wanted, 1 left");
		assertThat(this.shelf.left("desk")).isEqualTo(1);
	}

	@Test
	void deductWhenQuantityIsNotPositiveThenBadRequest() {
		this.shelf.put("vase", 1);
		assertThat(this.shop.post("/stock/vase/deduct?quantity=-5").statusCode()).isEqualTo(400);
		assertThat(this.shelf.left("vase")).isEqualTo(1);
	}

	@Test
	void deductWhenManyCustomersComeToTwoNodesThenSellsExactlyToZero() {
		this.shelf.put("phone", 60);
		try (SecondNode other = new SecondNode()) {
			assertThatExactlySixtyAreSold(answersTo100Customers(new Shop(this.port, other.port())));
		}
	}

	/** On a slow machine some find the stock busy, and come again as the answer asks. */
	private static List<HttpResponse<String>> answersTo100Customers(Shop shop) {
		List<HttpResponse<String>> answers = new ArrayList<>();
		while (answers.size() < 100) {
			shop.post("/stock/phone/deduct", 100 - answers.size())
				.stream()
				.filter((answer) -> answer.headers().firstValue("Retry-After").isEmpty())
				.forEach(answers::add);
		}
		return answers;
	}

	private void assertThatExactlySixtyAreSold(List<HttpResponse<String>> answers) {
		assertThat(answers).filteredOn((answer) -> answer.statusCode() == 200)
			.extracting(HttpResponse::body)
			.containsExactlyInAnyOrderElementsOf(
					IntStream.range(0, 60).mapToObj((left) -> "{\"sku\":\"phone\",\"left\":" + left + "}").toList());
		assertThat(answers).filteredOn((answer) -> answer.statusCode() != 200)
			.hasSize(40)
			.allSatisfy((answer) -> assertThat(answer.body()).contains("Sold out").contains("409"));
		assertThat(this.shelf.left("phone")).isZero();
	}

}

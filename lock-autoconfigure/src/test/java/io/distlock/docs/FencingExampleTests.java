package io.distlock.docs;

import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.annotation.Transactional;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.StaleFencingTokenException;
import io.distlock.autoconfigure.Fleet;
import io.distlock.output.DocPage;
import io.distlock.redis.RedisFence;
import io.distlock.spring.fencing.JdbcFence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The code of {@code docs/failures.md}, on a real Redis and H2. */
class FencingExampleTests {

	private static final Fleet FLEET = new Fleet(Application.class);

	@AfterAll
	static void close() {
		FLEET.close();
	}

	@Test
	void methodGetsItsToken() {
		Prices prices = FLEET.get(Prices.class);
		prices.publish("book", 1290, 0); // what the caller passes is replaced
		assertThat(prices.cents("book")).isEqualTo(1290);
		prices.publish("book", 1390, 0);
		assertThat(prices.cents("book")).isEqualTo(1390);
	}

	@Test
	void aRowOfItsOwn() {
		Prices prices = FLEET.get(Prices.class);
		prices.write("pen", 100, 7);
		prices.write("pen", 110, 7);
		assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> prices.write("pen", 90, 6));
		assertThat(prices.cents("pen")).isEqualTo(110);
	}

	@Test
	void statementsInATransaction() {
		Stock stock = FLEET.get(Stock.class);
		stock.deduct("book", 3, 0);
		assertThat(stock.amount("book")).isEqualTo(7);
		assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> stock.deductLate("book", 3));
		assertThat(stock.amount("book")).isEqualTo(7);
	}

	@Test
	void aValueInRedis() {
		RedisConnectionFactory redisConnectionFactory = FLEET.get(RedisConnectionFactory.class);
		long token = 5;
		// tag::redis[]
		RedisFence fence = new RedisFence(redisConnectionFactory); // Lettuce or Jedis
		fence.set("price:book", "12.90", token); // throws StaleFencingTokenException
		Optional<String> price = fence.get("price:book");
		// end::redis[]
		assertThat(price).hasValue("12.90");
		assertThatExceptionOfType(StaleFencingTokenException.class)
			.isThrownBy(() -> fence.set("price:book", "11.90", token - 1));
		assertThat(fence.get("price:book")).hasValue("12.90");
	}

	static class Prices {

		private final NamedParameterJdbcTemplate jdbc;

		Prices(JdbcTemplate jdbc) {
			this.jdbc = new NamedParameterJdbcTemplate(jdbc);
		}

		// tag::token[]
		@DistributedLock(name = "price", key = "#sku")
		public void publish(String sku, int cents, @FencingToken long token) {
			write(sku, cents, token);
		}
		// end::token[]

		/** With the statement of the page. */
		void write(String item, int cents, long token) {
			int changed = this.jdbc.update(statement(), Map.of("cents", cents, "token", token, "item", item));
			if (changed == 0) {
				throw new StaleFencingTokenException(item, token, token + 1);
			}
		}

		private static String statement() {
			String text = DocPage.of("failures.md").text();
			String block = text.substring(text.indexOf("```sql\n") + 7);
			return block.substring(0, block.indexOf("\n```"));
		}

		int cents(String item) {
			return this.jdbc.getJdbcOperations()
				.queryForObject("SELECT cents FROM price WHERE item = ?", Integer.class, item);
		}

	}

	static class Stock {

		private final JdbcTemplate jdbc;

		private final JdbcFence fence;

		Stock(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
			this.fence = new JdbcFence(jdbc);
		}

		// tag::jdbc[]
		@Transactional
		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku, int quantity, @FencingToken long token) {
			this.fence.raise("stock:" + sku, token); // first; refuses an older token
			this.jdbc.update("UPDATE stock SET amount = amount - ? WHERE sku = ?", quantity, sku);
		}
		// end::jdbc[]

		/** A holder of long ago. */
		@Transactional
		public void deductLate(String sku, int quantity) {
			deduct(sku, quantity, 1);
		}

		public int amount(String sku) {
			return this.jdbc.queryForObject("SELECT amount FROM stock WHERE sku = ?", Integer.class, sku);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ H2Transactions.class, Prices.class, Stock.class })
	static class Application {

		@Bean
		JdbcTemplate jdbcTemplate(DataSource dataSource) {
			new ResourceDatabasePopulator(new ClassPathResource("fence-h2.sql", JdbcFence.class)).execute(dataSource);
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			jdbc.execute("CREATE TABLE stock (sku VARCHAR(10), amount INT)");
			jdbc.update("INSERT INTO stock VALUES ('book', 10)");
			jdbc.execute("CREATE TABLE price (item VARCHAR(10), cents INT, fencing_token BIGINT)");
			jdbc.update("INSERT INTO price VALUES ('book', 0, 0), ('pen', 0, 0)");
			return jdbc;
		}

	}

}

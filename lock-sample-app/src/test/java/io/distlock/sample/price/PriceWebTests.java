package io.distlock.sample.price;

import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.StaleFencingTokenException;
import io.distlock.redis.RedisFence;
import io.distlock.sample.SecondNode;
import io.distlock.sample.Shop;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { SecondNode.PATIENT_STOCK, SecondNode.PATIENT_LOCK })
class PriceWebTests {

	@LocalServerPort
	private int port;

	@Autowired
	private LockTemplate locks;

	@Autowired
	private RedisConnectionFactory redis;

	@Test
	void priceWhenPublishedThenFound() {
		Shop shop = new Shop(this.port);
		assertThat(shop.get("/prices/lamp").statusCode()).isEqualTo(404);
		assertThat(shop.put("/prices/lamp?cents=1290").body()).isEqualTo("{\"sku\":\"lamp\",\"cents\":1290}");
		assertThat(shop.get("/prices/lamp").body()).isEqualTo("{\"sku\":\"lamp\",\"cents\":1290}");
	}

	@Test
	void publishWhenALaterHolderHasWrittenThenTheLateWriteIsRefused() {
		LockHandle late = this.locks.acquire("price:desk");
		late.close();
		Shop shop = new Shop(this.port);
		shop.put("/prices/desk?cents=9900");
		RedisFence fence = new RedisFence(this.redis);
		assertThatExceptionOfType(StaleFencingTokenException.class)
			.isThrownBy(() -> fence.set("shop:price:desk", "1", late.fencingToken()));
		assertThat(shop.get("/prices/desk").body()).contains("9900");
	}

}

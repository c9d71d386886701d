package io.distlock.sample.price;

import java.util.Optional;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.OnLost;
import io.distlock.redis.RedisFence;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.stereotype.Service;

/** Publishes prices, one at a time for each item. */
@Service
public class PriceService {

	private final RedisFence prices;

	PriceService(RedisConnectionFactory redis) {
		this.prices = new RedisFence(redis);
	}

	/**
	 * Publishes a price. A lock is a lease: a process that stands still may wake up after
	 * its lease has ended, and write. The price remembers the token of its last writer
	 * and refuses lower ones, so that such a late write fails. The thread that loses the
	 * lock is interrupted, since its work is in vain.
	 * @param sku the item
	 * @param cents its price
	 * @param token set by the lock, whatever the caller passes
	 */
	@DistributedLock(name = "price", key = "#sku", onLost = OnLost.INTERRUPT)
	public void publish(String sku, int cents, @FencingToken long token) {
		this.prices.set(key(sku), Integer.toString(cents), token);
	}

	/**
	 * Finds a price.
	 * @param sku the item
	 * @return empty if none was published
	 */
	public Optional<Integer> find(String sku) {
		return this.prices.get(key(sku)).map(Integer::valueOf);
	}

	private static String key(String sku) {
		return "shop:price:" + sku;
	}

}

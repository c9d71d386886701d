package io.distlock.sample.stock;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * The number of items that are left, in Redis. {@link #take} reads, decides and writes:
 * without a lock two callers at the same time sell the same item twice. A method that
 * decides nothing else needs no lock, but one command or script of Redis.
 */
@Component
public class Shelf {

	private final StringRedisTemplate redis;

	private final Set<String> opened = new ConcurrentSkipListSet<>();

	Shelf(StringRedisTemplate redis) {
		this.redis = redis;
	}

	/**
	 * Takes items off the shelf. Not safe without a lock around it.
	 * @param sku the item
	 * @param quantity how many
	 * @return how many are left
	 * @throws SoldOutException if there are fewer
	 * @throws UnknownItemException if there never were any
	 */
	public int take(String sku, int quantity) {
		int left = left(sku);
		if (left < quantity) {
			throw new SoldOutException(sku, quantity, left);
		}
		put(sku, left - quantity);
		return left - quantity;
	}

	/**
	 * Counts what is there.
	 * @param sku the item
	 * @return how many are left
	 * @throws UnknownItemException if there never were any
	 */
	public int left(String sku) {
		String left = this.redis.opsForValue().get(key(sku));
		if (left == null) {
			throw new UnknownItemException(sku);
		}
		return Integer.parseInt(left);
	}

	/**
	 * Sets the number, whatever it was.
	 * @param sku the item
	 * @param quantity how many there are now
	 */
	public void put(String sku, int quantity) {
		this.redis.opsForValue().set(key(sku), String.valueOf(quantity));
	}

	/**
	 * Lists what the shop opened with.
	 * @return items in the order of their names
	 */
	public List<StockLevel> levels() {
		return this.opened.stream().map((sku) -> new StockLevel(sku, left(sku))).toList();
	}

	void putIfUnknown(String sku, int quantity) {
		this.opened.add(sku);
		this.redis.opsForValue().setIfAbsent(key(sku), String.valueOf(quantity));
	}

	private static String key(String sku) {
		return "shop:stock:" + sku;
	}

}

package io.distlock.lab.fencing;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.LockContext;
import io.distlock.StaleFencingTokenException;
import io.distlock.redis.RedisFence;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Publishes the price of a book, into a plain value of Redis and into a fenced one, and
 * prints what the demo waits for.
 */
public class PriceService {

	static final String HOLDS = "holds the lock";

	static final String REFUSED = "was refused";

	static final String PLAIN = "lab:price:plain";

	static final String FENCED = "lab:price:fenced";

	private final StringRedisTemplate redis;

	private final RedisFence fence;

	PriceService(RedisConnectionFactory connectionFactory) {
		this.redis = new StringRedisTemplate(connectionFactory);
		this.fence = new RedisFence(connectionFactory);
	}

	/**
	 * Writes both values.
	 * @param price the price
	 * @param pause what happens between looking at the lock and writing
	 * @param token given by the lock
	 */
	@DistributedLock(name = "price", waitTime = "1m")
	public void publish(String price, Runnable pause, @FencingToken long token) {
		LockContext.current().orElseThrow().ensureHeld();
		System.out.println(HOLDS + ", its fencing token is " + token);
		pause.run();
		this.redis.opsForValue().set(PLAIN, price);
		System.out.println("wrote the plain value");
		try {
			this.fence.set(FENCED, price, token);
			System.out.println("wrote the fenced value");
		}
		catch (StaleFencingTokenException ex) {
			System.out.println(REFUSED + ": " + ex.getMessage());
		}
	}

}

package io.distlock.lab.strategy;

import java.util.List;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** No lock: one script looks at the stock and takes an item. */
class StockScript implements Strategy {

	private final StringRedisTemplate redis;

	private final RedisScript<Long> takeOne = StrategySupport.script("take_one.lua");

	StockScript(StrategySupport support) {
		this.redis = support.redis();
	}

	@Override
	public boolean sell(Customer customer) {
		return customer.buyInOneStep(() -> this.redis.execute(this.takeOne, List.of("lab:stock")).intValue());
	}

}

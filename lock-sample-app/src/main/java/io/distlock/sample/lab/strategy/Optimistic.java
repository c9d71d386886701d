package io.distlock.sample.lab.strategy;

import io.distlock.redis.optimistic.OptimisticChange;
import io.distlock.redis.optimistic.OptimisticOutcome;
import io.distlock.redis.optimistic.OptimisticOutcome.Contended;
import io.distlock.redis.optimistic.OptimisticOutcome.Written;
import io.distlock.redis.optimistic.RedisOptimisticTemplate;

/** No lock: WATCH, read, MULTI, write, EXEC, and again if another customer was faster. */
class Optimistic implements Strategy {

	private final RedisOptimisticTemplate redis;

	Optimistic(Kit kit) {
		this.redis = kit.closeLater(new RedisOptimisticTemplate(kit.connections()));
	}

	@Override
	public boolean sell(Customer customer) {
		OptimisticOutcome<Integer> outcome = this.redis.execute("lab:stock", (watched) -> {
			int left = Integer.parseInt(watched.get("lab:stock"));
			customer.work();
			return (left > 0)
					? OptimisticChange.write(left, (writes) -> writes.set("lab:stock", Integer.toString(left - 1)))
					: OptimisticChange.none(left);
		});
		if (outcome instanceof Written<Integer> sale) {
			customer.sold(sale.result());
		}
		for (int i = 1; i < outcome.attempts(); i++) {
			customer.conflict();
		}
		return outcome instanceof Written || outcome instanceof Contended;
	}

}

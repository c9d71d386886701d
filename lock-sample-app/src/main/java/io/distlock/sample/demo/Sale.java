package io.distlock.sample.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.LockBusyException;
import io.distlock.sample.stock.SoldOutException;

/**
 * What many threads sold at the same time.
 *
 * @param sold customers who went away with an item
 * @param refused customers who were told that nothing is left
 * @param busy customers who waited for the lock in vain
 * @param time from first to last
 */
record Sale(int sold, int refused, int busy, Duration time) {

	private static final Duration LIMIT = Duration.ofMinutes(5);

	/**
	 * Sells until nothing is left or no customer is.
	 * @param settings how many threads and customers
	 * @param checkouts one for each node; each throws {@link SoldOutException} at the end
	 */
	static Sale hold(DemoSettings settings, List<Runnable> checkouts) throws InterruptedException, ExecutionException {
		Counters counters = new Counters(settings.customers());
		List<Callable<Void>> sellers = new ArrayList<>();
		for (int i = 0; i < settings.threads(); i++) {
			Runnable checkout = checkouts.get(i % checkouts.size());
			sellers.add(() -> counters.sell(checkout));
		}
		ExecutorService threads = Executors.newFixedThreadPool(settings.threads());
		try {
			long begin = System.nanoTime();
			for (Future<Void> seller : threads.invokeAll(sellers, LIMIT.toSeconds(), TimeUnit.SECONDS)) {
				seller.get();
			}
			return counters.result(Duration.ofNanos(System.nanoTime() - begin));
		}
		finally {
			threads.shutdownNow();
		}
	}

	int oversold(int items) {
		return Math.max(0, this.sold - items);
	}

	double seconds() {
		return this.time.toNanos() / 1e9;
	}

	double perSecond() {
		return (this.sold + this.refused) / seconds();
	}

	private static final class Counters {

		private final AtomicInteger customers;

		private final AtomicInteger sold = new AtomicInteger();

		private final AtomicInteger refused = new AtomicInteger();

		private final AtomicInteger busy = new AtomicInteger();

		private Counters(int customers) {
			this.customers = new AtomicInteger(customers);
		}

		private Void sell(Runnable checkout) {
			while (this.customers.getAndDecrement() > 0) {
				try {
					checkout.run();
					this.sold.incrementAndGet();
				}
				catch (SoldOutException ex) {
					this.refused.incrementAndGet();
					break;
				}
				catch (LockBusyException ex) {
					this.busy.incrementAndGet();
				}
			}
			return null;
		}

		private Sale result(Duration time) {
			return new Sale(this.sold.get(), this.refused.get(), this.busy.get(), time);
		}

	}

}

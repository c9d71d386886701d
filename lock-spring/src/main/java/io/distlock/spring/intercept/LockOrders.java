package io.distlock.spring.intercept;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.spring.definition.LockedMethod;
import io.distlock.spring.definition.LockedMethodId;

/**
 * Remembers in which order locks were taken inside each other, and warns once when two
 * locks were taken in both orders. Two callers with one of these locks each would wait
 * for each other until their wait time is over. This class distinguishes locks by their
 * names, so that its memory is bounded. Two locks of one name have an order by their
 * keys.
 */
final class LockOrders {

	private static final Logger logger = LoggerFactory.getLogger(LockOrders.class);

	/**
	 * More orders than any application has, because names may contain placeholders, but
	 * no data.
	 */
	private static final int LIMIT = 1000;

	private final Map<Order, Place> seen = new ConcurrentHashMap<>();

	private final Set<Order> warned = ConcurrentHashMap.newKeySet();

	/**
	 * Remembers that a lock was taken inside another.
	 * @param outer the method that has a lock
	 * @param outerKeys the keys of its locks, in order
	 * @param inner the method that requests another lock
	 * @param innerKeys the keys of the requested locks that the thread does not have yet,
	 * in order
	 */
	void taken(LockedMethod outer, List<String> outerKeys, LockedMethod inner, List<String> innerKeys) {
		if (!outer.name().equals(inner.name())) {
			taken(new Order(outer.name(), inner.name(), 0), outer, inner);
			return;
		}
		// Some of several keys may come before the other keys, and some after them.
		if (first(outerKeys).compareTo(last(innerKeys)) < 0) {
			taken(new Order(outer.name(), inner.name(), -1), outer, inner);
		}
		if (last(outerKeys).compareTo(first(innerKeys)) > 0) {
			taken(new Order(outer.name(), inner.name(), 1), outer, inner);
		}
	}

	private static String first(List<String> keys) {
		return keys.get(0);
	}

	private static String last(List<String> keys) {
		return keys.get(keys.size() - 1);
	}

	private void taken(Order order, LockedMethod outer, LockedMethod inner) {
		if (!this.seen.containsKey(order) && this.seen.size() < LIMIT) {
			this.seen.putIfAbsent(order, new Place(outer.id(), inner.id()));
		}
		Place reverse = this.seen.get(order.reversed());
		if (reverse != null && this.warned.add(order.canonical())) {
			warn(order, new Place(outer.id(), inner.id()), reverse);
		}
	}

	private static void warn(Order order, Place place, Place reverse) {
		String danger = "Two callers that hold one each wait for each other until their wait time is over. ";
		if (order.direction() == 0) {
			logger.warn(
					"Locks '{}' and '{}' are taken in both orders: '{}' first in {}, '{}' first in {}. {}Take them in "
							+ "the same order everywhere",
					order.outer(), order.inner(), order.outer(), place, order.inner(), reverse, danger);
		}
		else {
			logger.warn(
					"Two locks {} are taken inside each other in both orders of their keys, in {} and in {}. {}Take "
							+ "them in the order of their keys, or both at once with 'keys'",
					order.outer().isEmpty() ? "without a name" : "of name '" + order.outer() + "'", place, reverse,
					danger);
		}
	}

	/**
	 * One lock taken inside another.
	 *
	 * @param outer name of the lock that was held
	 * @param inner name of the lock that was taken
	 * @param direction how their keys compare, 0 if their names differ
	 */
	private record Order(String outer, String inner, int direction) {

		Order reversed() {
			return new Order(this.inner, this.outer, -this.direction);
		}

		/** Returns the same order for both directions. */
		Order canonical() {
			return (this.direction < 0 || this.outer.compareTo(this.inner) < 0) ? this : reversed();
		}

	}

	/** A locked method inside another. */
	private record Place(LockedMethodId outer, LockedMethodId inner) {

		@Override
		public String toString() {
			return this.inner.describe() + " called in " + this.outer.describe();
		}

	}

}

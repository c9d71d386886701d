package io.distlock.benchmark.jmh;

import io.distlock.DistributedLock;

/** A bean with locked methods that do next to nothing. */
public class StockService {

	/**
	 * Not locked, but advised.
	 * @param item an item
	 * @return something
	 */
	public int advised(StockItem item) {
		return item.sku().length();
	}

	/**
	 * Locked under a constant name.
	 * @param item an item
	 * @return something
	 */
	@DistributedLock(name = "stock")
	public int lockedByName(StockItem item) {
		return item.sku().length();
	}

	/**
	 * Locked by item.
	 * @param item an item
	 * @return something
	 */
	@DistributedLock(name = "stock", key = "#item.sku")
	public int lockedByExpression(StockItem item) {
		return item.sku().length();
	}

}

package io.distlock.sample.tutorial;

import io.distlock.sample.stock.Shelf;
import io.distlock.sample.stock.StockLevel;
import io.distlock.sample.stock.StockService;

import org.springframework.stereotype.Service;

/**
 * Sells from the shelf under the lock of this JVM. This is enough while the shop has one
 * node. The second node has a lock of its own, so both sell the same item. Compare with
 * {@link StockService}.
 */
@Service
class SynchronizedStock {

	private final Shelf shelf;

	SynchronizedStock(Shelf shelf) {
		this.shelf = shelf;
	}

	// tag::deduct[]
	synchronized StockLevel deduct(String sku) {
		return new StockLevel(sku, this.shelf.take(sku, 1));
	}
	// end::deduct[]

}

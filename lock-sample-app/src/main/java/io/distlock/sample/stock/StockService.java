package io.distlock.sample.stock;

import io.distlock.DistributedLock;

import org.springframework.stereotype.Service;

/** Sells from the shelf: one sale at a time for each item, on all nodes together. */
@Service
public class StockService {

	private final Shelf shelf;

	StockService(Shelf shelf) {
		this.shelf = shelf;
	}

	/**
	 * Sells items.
	 * @param sku the item
	 * @param quantity how many, at least 1
	 * @return what is left
	 * @throws SoldOutException if there are fewer
	 * @throws UnknownItemException if there never were any
	 */
	// tag::deduct[]
	@DistributedLock(name = "stock", key = "#sku")
	public StockLevel deduct(String sku, int quantity) {
		if (quantity < 1) {
			throw new IllegalArgumentException("Quantity must be at least 1, was " + quantity);
		}
		return new StockLevel(sku, this.shelf.take(sku, quantity));
	}
	// end::deduct[]

}

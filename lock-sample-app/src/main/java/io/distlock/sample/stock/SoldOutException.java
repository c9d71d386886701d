package io.distlock.sample.stock;

/** Fewer items are left than were asked for. */
public class SoldOutException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	SoldOutException(String sku, int wanted, int left) {
		super("Sold out: " + wanted + " of '" + sku + "' wanted, " + left + " left");
	}

}

package io.distlock.sample.stock;

/** The shop never had this item. */
public class UnknownItemException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnknownItemException(String sku) {
		super("There is no item '" + sku + "'");
	}

}

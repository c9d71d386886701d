package io.distlock.sample.stock;

/**
 * What is left of an item.
 *
 * @param sku the item
 * @param left how many
 */
public record StockLevel(String sku, int left) {
}

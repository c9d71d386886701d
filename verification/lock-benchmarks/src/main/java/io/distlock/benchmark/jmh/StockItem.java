package io.distlock.benchmark.jmh;

/**
 * An argument that a key is computed from.
 *
 * @param sku its number
 */
public record StockItem(String sku) {

}

/**
 * The distributed lock: the API for users, the contract for stores, and
 * the engine, which is internal and not exported.
 */
module io.distlock.core {

	requires org.slf4j;
	requires static jdk.jfr;
	requires static org.jspecify;

	exports io.distlock;
	exports io.distlock.engine;
	exports io.distlock.observe;
	exports io.distlock.operations;
	exports io.distlock.spi;
	exports io.distlock.stores;
	exports io.distlock.support;

}

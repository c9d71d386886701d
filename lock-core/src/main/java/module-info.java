/**
 * The distributed lock: the API for users, the contract for stores, and
 * the engine, which is internal and not exported.
 */
@SuppressWarnings("module")
module io.distlock.core {

	requires org.slf4j;
	requires static org.jspecify;

	exports io.distlock;
	exports io.distlock.engine;
	exports io.distlock.leader;
	exports io.distlock.observe;
	exports io.distlock.operations;
	exports io.distlock.spi;
	exports io.distlock.stores;

	// Not published: only the modules of this library share this package.
	exports io.distlock.support to io.distlock.autoconfigure, io.distlock.jdbc, io.distlock.records,
			io.distlock.redis, io.distlock.redlock, io.distlock.spring, io.distlock.zookeeper;

}

/**
 * The store on Redis: one server, Sentinel or Cluster.
 */
@SuppressWarnings({ "requires-transitive-automatic", "module" })
module io.distlock.redis {

	requires transitive io.distlock.core;
	requires org.slf4j;
	requires transitive spring.data.redis;
	requires spring.core;
	requires spring.tx;
	requires static org.jspecify;
	requires static io.netty.buffer;
	requires static lettuce.core;
	requires static org.apache.commons.pool2;
	requires static redis.clients.jedis;

	exports io.distlock.redis;
	// Exported to this module only: a quorum sends commands to each master as this store
	// does.
	exports io.distlock.redis.client to io.distlock.redlock;
	exports io.distlock.redis.connect to io.distlock.redlock;
	exports io.distlock.redis.protocol to io.distlock.redlock;

	// Spring creates the hints for native images.
	opens io.distlock.redis.protocol to spring.core;

}

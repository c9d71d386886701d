/**
 * The stores on Redis: one server, Sentinel or Cluster, and a majority of masters.
 */
@SuppressWarnings("requires-transitive-automatic")
module io.distlock.redis {

	requires transitive io.distlock.core;
	requires org.slf4j;
	requires transitive spring.data.redis;
	requires spring.core;
	requires spring.tx;
	requires static org.jspecify;
	requires static lettuce.core;
	requires static io.netty.buffer;
	requires static org.apache.commons.pool2;
	requires static redis.clients.jedis;

	exports io.distlock.redis;
	exports io.distlock.redlock;

	// Spring creates the hints for native images.
	opens io.distlock.redis.protocol to spring.core;

}

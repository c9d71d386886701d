package io.distlock.redis;

import io.distlock.test.redis.RedisCluster;
import io.distlock.test.redis.RedisSentinel;
import io.distlock.test.redis.RedisServer;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;

/**
 * Servers that tell Jedis where to connect, and name a pipe that leads to the server with
 * the locks. A pool that only locks use follows them.
 */
enum PipedTopology {

	/** A Sentinel, whose own connections are not in the pipe. */
	SENTINEL {
		@Override
		Piped start() {
			RedisSentinel servers = RedisSentinel.start();
			RedisServer server = RedisServer.start();
			RedisServer sentinel = servers.sentinels().get(0);
			Pipe pipe = new Pipe(server);
			sentinel.command("SENTINEL", "MONITOR", "piped", "127.0.0.1", String.valueOf(pipe.address().getPort()),
					"1");
			return new Piped(pipe, server,
					new RedisSentinelConfiguration().master("piped").sentinel(sentinel.host(), sentinel.port()), () -> {
						server.close();
						servers.close();
					});
		}
	},

	/** A node with all slots, which calls the pipe its address. */
	CLUSTER {
		@Override
		Piped start() {
			RedisCluster servers = RedisCluster.builder().masters(1).start();
			RedisServer node = servers.nodes().get(0);
			Pipe pipe = new Pipe(node);
			int port = pipe.address().getPort();
			node.command("CONFIG", "SET", "cluster-announce-ip", "127.0.0.1");
			node.command("CONFIG", "SET", "cluster-announce-port", String.valueOf(port));
			return new Piped(pipe, node, new RedisClusterConfiguration().clusterNode("127.0.0.1", port),
					servers::close);
		}
	};

	abstract Piped start() throws Exception;

	/**
	 * The servers.
	 *
	 * @param pipe leads to the server
	 * @param server has the locks
	 * @param servers what the application knows
	 * @param closer ends all servers
	 */
	record Piped(Pipe pipe, RedisServer server, RedisConfiguration servers, Runnable closer) implements AutoCloseable {

		Way.Opened connect() {
			return Way.ownJedis(this.servers);
		}

		@Override
		public void close() throws Exception {
			this.pipe.close();
			this.closer.run();
		}

	}

}

package io.distlock.sample.redis;

import io.distlock.test.redis.RedisServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;

/**
 * The one Redis of this process, started when first asked for. All application contexts
 * of the process share it, as nodes share a server. It ends after the last of them was
 * closed, since closing them still releases locks; a killed process takes it along.
 */
final class EmbeddedRedis {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedRedis.class);

	private static @Nullable RedisServer server;

	private EmbeddedRedis() {
	}

	static synchronized RedisServer get() {
		RedisServer running = server;
		if (running == null) {
			running = RedisServer.start();
			SpringApplication.getShutdownHandlers().add(running::close);
			logger.info("No Redis is configured: started {} (pid {}) on {}:{} for this process", running.executable(),
					running.pid(), running.host(), running.port());
			server = running;
		}
		return running;
	}

}

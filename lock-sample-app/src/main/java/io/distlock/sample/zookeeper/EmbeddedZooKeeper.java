package io.distlock.sample.zookeeper;

import io.distlock.test.redis.FreePort;
import org.apache.curator.test.TestingServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;

/**
 * The one ZooKeeper of this process, in memory, started when first asked for. All
 * application contexts of the process share it. It ends after the last of them was
 * closed, since closing them still releases locks.
 */
final class EmbeddedZooKeeper {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedZooKeeper.class);

	private static @Nullable TestingServer server;

	private EmbeddedZooKeeper() {
	}

	/** Its address. */
	static synchronized String get() {
		TestingServer running = server;
		if (running == null) {
			running = start();
			server = running;
		}
		return running.getConnectString();
	}

	private static TestingServer start() {
		try {
			TestingServer started = new TestingServer(FreePort.find("127.0.0.1"));
			SpringApplication.getShutdownHandlers().add(() -> stop(started));
			logger.info("No ZooKeeper is configured: started one on {} in this process", started.getConnectString());
			return started;
		}
		catch (Exception ex) {
			throw new IllegalStateException("ZooKeeper could not be started", ex);
		}
	}

	private static void stop(TestingServer started) {
		try {
			started.close();
		}
		catch (Exception ex) {
			logger.warn("ZooKeeper could not be stopped", ex);
		}
	}

}

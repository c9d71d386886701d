package io.distlock.redis;

import java.util.concurrent.ThreadPoolExecutor;

import io.distlock.spi.StoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * How a started store reaches the server: commands, and messages where the client can
 * have them.
 *
 * @param commands runs scripts
 * @param subscribe makes sure that messages come, if they can
 * @param close ends both
 */
record RedisAccess(RedisCommands commands, Runnable subscribe, Runnable close) {

	private static final Logger logger = LoggerFactory.getLogger(RedisAccess.class);

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			RedisAccess.class.getClassLoader());

	static RedisAccess open(RedisConnectionFactory factory, RedisLockStoreSettings settings, String instance,
			StoreListener listener) {
		if (LETTUCE && Lettuce.suits(factory)) {
			return Lettuce.open(factory, settings, instance, listener);
		}
		logger.info(
				"{} has no asynchronous commands: locks use threads, and waiting for one takes up to {} ms "
						+ "longer than with Lettuce",
				factory.getClass().getSimpleName(), settings.pollInterval().toMillis());
		RedisCommands commands = new BlockingCommands(factory, settings.commandTimeout());
		return new RedisAccess(commands, () -> {
		}, commands::close);
	}

	/** Loaded only where Lettuce is on the class path. */
	private static final class Lettuce {

		private Lettuce() {
		}

		static boolean suits(RedisConnectionFactory factory) {
			return factory instanceof LettuceConnectionFactory;
		}

		static RedisAccess open(RedisConnectionFactory factory, RedisLockStoreSettings settings, String instance,
				StoreListener listener) {
			LettuceLinks links = new LettuceLinks((LettuceConnectionFactory) factory);
			ThreadPoolExecutor connector = Workers.start(2);
			LettuceCommands commands = new LettuceCommands(links, connector, settings.commandTimeout());
			PushMessages messages = new PushMessages(instance, new KeyCodec(settings.prefix()), listener);
			LettuceSubscription subscription = new LettuceSubscription(links, connector, channels(settings) + instance,
					messages);
			commands.connect();
			subscription.ensure();
			return new RedisAccess(commands, subscription::ensure, () -> {
				subscription.close();
				commands.close();
				connector.shutdown();
			});
		}

	}

	/** What the channels of all instances begin with. */
	static String channels(RedisLockStoreSettings settings) {
		return settings.prefix() + "ch:";
	}

}

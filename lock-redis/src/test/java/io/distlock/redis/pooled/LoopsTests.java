package io.distlock.redis.pooled;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.redis.pooled.BlockingSubscription;
import io.distlock.redis.pooled.PolledMaster;
import io.distlock.redis.client.Echo;
import io.distlock.redis.protocol.Inbox;
import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.GrantMessages;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.DefaultMessage;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** No error ends what runs in the background for as long as the store. */
class LoopsTests {

	/** Is never asked. */
	private static final Echo SILENT = new Echo((message) -> CompletableFuture.completedFuture(null), () -> {
	}, () -> "", System::nanoTime);

	private static final RedisSentinelConfiguration SENTINEL = new RedisSentinelConfiguration().master("locks")
		.sentinel("127.0.0.1", 1);

	private final AtomicInteger asked = new AtomicInteger();

	@Test
	void thePollingOfSentinelsSurvivesAnError() {
		JedisConnectionFactory factory = new JedisConnectionFactory(SENTINEL) {

			@Override
			public RedisSentinelConnection getSentinelConnection() {
				LoopsTests.this.asked.incrementAndGet();
				throw new NoClassDefFoundError("at random");
			}

		};
		PolledMaster polled = Optional.ofNullable(PolledMaster.start(factory, () -> {
		}, () -> {
		})).orElseThrow();
		await().until(() -> this.asked.get() >= 3);
		polled.close();
	}

	@Test
	void theSubscriptionSurvivesAnErrorAndClosesTheConnection() {
		AtomicInteger closed = new AtomicInteger();
		RedisConnectionFactory factory = proxy(RedisConnectionFactory.class, (method) -> {
			if (LoopsTests.this.asked.incrementAndGet() == 1) {
				throw new OutOfMemoryError("at random");
			}
			return proxy(RedisConnection.class, (command) -> {
				if (command.equals("close")) {
					return closed.incrementAndGet();
				}
				if (command.equals("subscribe")) {
					throw new StackOverflowError("at random");
				}
				return null;
			});
		});
		BlockingSubscription subscription = new BlockingSubscription(factory, "lk:ch:a", messages(() -> {
		}), SILENT);
		subscription.start();
		await().until(() -> this.asked.get() >= 3 && closed.get() >= 1);
		subscription.retire();
	}

	@Test
	void theSubscriptionGoesOnAfterAMessageThatFails() throws NoSuchAlgorithmException {
		BlockingSubscription subscription = new BlockingSubscription(proxy(RedisConnectionFactory.class, (method) -> {
			throw new IllegalStateException("not connected");
		}), "lk:ch:a", messages(() -> {
			this.asked.incrementAndGet();
			throw new OutOfMemoryError("at random");
		}), SILENT);
		DefaultMessage message = new DefaultMessage(new byte[0],
				("W;" + digest("one") + ";lk:a").getBytes(StandardCharsets.UTF_8));
		subscription.onMessage(message, null);
		subscription.onMessage(message, null);
		assertThat(this.asked).hasValue(2);
	}

	private static String digest(String instance) throws NoSuchAlgorithmException {
		return HexFormat.of()
			.formatHex(MessageDigest.getInstance("SHA-1").digest(instance.getBytes(StandardCharsets.UTF_8)));
	}

	private static GrantMessages messages(Runnable contended) {
		return new GrantMessages("one", new Inbox("one", "secret"), new KeyCodec("lk:"), new StoreListener() {

			@Override
			public void granted(String key, RequestId request, Grant grant) {
			}

			@Override
			public void contended(String key) {
				contended.run();
			}

			@Override
			public void reconnected() {
			}

		}, System::nanoTime);
	}

	private interface Answers {

		@Nullable Object to(String method);

	}

	private static <T> T proxy(Class<T> type, Answers answers) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> answers.to(method.getName())));
	}

}

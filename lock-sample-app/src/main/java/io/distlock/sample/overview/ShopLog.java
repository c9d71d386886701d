package io.distlock.sample.overview;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.distlock.sample.fleet.FleetProperties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.stereotype.Component;

/**
 * What happens in the shop, for its page. Nodes publish lines in Redis and do not care
 * whether anybody reads them; the main process keeps the last ones.
 */
@Component
class ShopLog implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(ShopLog.class);

	private static final String CHANNEL = "shop:log";

	private static final int KEPT = 200;

	private static final int LONGEST = 500;

	private final FleetProperties properties;

	private final RedisConnectionFactory connections;

	private final StringRedisTemplate redis;

	private final Deque<Line> lines = new ArrayDeque<>();

	/** What comes while Redis does not answer is left out. */
	private final ThreadPoolExecutor publisher = new ThreadPoolExecutor(0, 1, 5, TimeUnit.SECONDS,
			new ArrayBlockingQueue<>(KEPT), (task) -> {
				Thread thread = new Thread(task, "log of the shop");
				thread.setDaemon(true);
				return thread;
			}, new ThreadPoolExecutor.DiscardPolicy());

	private long numbers;

	private @Nullable RedisMessageListenerContainer container;

	ShopLog(FleetProperties properties, RedisConnectionFactory connections) {
		this.properties = properties;
		this.connections = connections;
		this.redis = new StringRedisTemplate(connections);
	}

	/** Publishes a line soon, if Redis answers; the caller does not wait for it. */
	void publish(String text) {
		String line = this.properties.name() + "\n" + Instant.now() + "\n" + text;
		this.publisher.execute(() -> send(line));
	}

	private void send(String line) {
		try {
			this.redis.convertAndSend(CHANNEL, line);
		}
		catch (DataAccessException | IllegalStateException ex) {
			logger.debug("A line for the page could not be published", ex);
		}
	}

	/** Returns the lines after one, oldest first. */
	synchronized List<Line> after(long number) {
		return this.lines.stream().filter((line) -> line.number() > number).toList();
	}

	private synchronized void add(String message) {
		String[] parts = message.split("\n", 3);
		if (parts.length == 3) {
			this.lines.addLast(new Line(++this.numbers, parts[1], parts[0],
					parts[2].substring(0, Math.min(LONGEST, parts[2].length()))));
			if (this.lines.size() > KEPT) {
				this.lines.removeFirst();
			}
		}
	}

	@Override
	public void start() {
		if (this.properties.node() != null) {
			return;
		}
		RedisMessageListenerContainer listening = new RedisMessageListenerContainer();
		listening.setConnectionFactory(this.connections);
		listening.addMessageListener((message, pattern) -> add(new String(message.getBody(), StandardCharsets.UTF_8)),
				new ChannelTopic(CHANNEL));
		listening.afterPropertiesSet();
		listening.start();
		this.container = listening;
	}

	@Override
	public void stop() {
		RedisMessageListenerContainer listening = this.container;
		this.container = null;
		if (listening != null) {
			try {
				listening.destroy();
			}
			catch (Exception ex) {
				logger.debug("The listener could not be closed", ex);
			}
		}
	}

	@Override
	public boolean isRunning() {
		return this.container != null;
	}

	/**
	 * A line.
	 *
	 * @param number place in the log
	 * @param at when
	 * @param node who wrote it
	 * @param text what happened
	 */
	record Line(long number, String at, String node, String text) {
	}

}

package io.distlock.redis.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import io.distlock.redis.protocol.MasterTags;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Finds a tag for each master of a Cluster; the tag's hash is the lowest slot of the
 * master. It reads the layout from the client in the background, again each second while
 * in use. With an outdated tag the script fails, because it cannot reach a key of another
 * master.
 */
public final class ClusterTags implements MasterTags {

	private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

	private static final Map<Integer, String> tagsOfSlots = new ConcurrentHashMap<>();

	private final RedisConnectionFactory factory;

	private final Executor reader;

	private final AtomicBoolean reading = new AtomicBoolean();

	private volatile Layout layout = new Layout(List.of(), System.nanoTime() - FRESH_NANOS);

	private volatile CompletableFuture<Layout> latest = CompletableFuture.completedFuture(this.layout);

	private record Master(RedisClusterNode node, String tag) {
	}

	private record Layout(List<Master> masters, long since) {

		private @Nullable String tag(int slot) {
			return this.masters.stream()
				.filter((master) -> master.node().servesSlot(slot))
				.map(Master::tag)
				.findFirst()
				.orElse(null);
		}

	}

	/**
	 * Creates the tags; connects with the first use.
	 * @param factory the application's connection factory
	 * @param reader runs calls that read the layout and block
	 */
	public ClusterTags(RedisConnectionFactory factory, Executor reader) {
		this.factory = factory;
		this.reader = reader;
	}

	@Override
	public CompletionStage<String> of(String redisKey) {
		int slot = ClusterSlotHashUtil.calculateSlot(redisKey.getBytes(StandardCharsets.UTF_8));
		readIfOld();
		String tag = this.layout.tag(slot);
		return (tag != null) ? CompletableFuture.completedFuture(tag) : this.latest.thenApply((read) -> {
			String found = read.tag(slot);
			if (found == null) {
				throw new TransientStoreException("", "The Redis master of slot " + slot + " is not known", null);
			}
			return found;
		});
	}

	@Override
	public CompletionStage<List<String>> all() {
		readIfOld();
		return this.latest.thenApply((read) -> read.masters()
			.stream()
			.map(Master::tag)
			.sorted(Comparator.comparing(Integer::valueOf))
			.toList());
	}

	private void readIfOld() {
		if (System.nanoTime() - this.layout.since() >= FRESH_NANOS && this.reading.compareAndSet(false, true)) {
			CompletableFuture<Layout> next = new CompletableFuture<>();
			this.latest = next;
			try {
				this.reader.execute(() -> read(next));
			}
			catch (Throwable ex) {
				this.reading.set(false);
				failed(next, ex);
			}
		}
	}

	/** Keeps the earlier layout in use until another attempt succeeds. */
	private void read(CompletableFuture<Layout> next) {
		try (RedisClusterConnection connection = this.factory.getClusterConnection()) {
			this.layout = new Layout(masters(connection.clusterGetNodes()), System.nanoTime());
			next.complete(this.layout);
		}
		catch (Throwable ex) {
			failed(next, ex);
		}
		finally {
			this.reading.set(false);
		}
	}

	private static void failed(CompletableFuture<Layout> next, Throwable failure) {
		next.completeExceptionally(new TransientStoreException("",
				"The masters of the Redis Cluster are not known: " + RedisFailure.detail(failure), failure));
	}

	private static List<Master> masters(Iterable<RedisClusterNode> nodes) {
		List<Master> masters = new ArrayList<>();
		for (RedisClusterNode node : nodes) {
			if (node.isMaster()) {
				node.getSlotRange()
					.getSlots()
					.stream()
					.min(Integer::compare)
					.ifPresent((lowest) -> masters.add(new Master(node, tagOf(lowest))));
			}
		}
		return masters;
	}

	/** Returns the first number whose hash is in a slot. */
	static String tagOf(int slot) {
		return tagsOfSlots.computeIfAbsent(slot, (same) -> {
			int number = 0;
			while (ClusterSlotHashUtil.calculateSlot(Integer.toString(number)) != same) {
				number++;
			}
			return Integer.toString(number);
		});
	}

}

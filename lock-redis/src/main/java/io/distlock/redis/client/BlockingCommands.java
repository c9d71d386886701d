package io.distlock.redis.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Stream;

import io.distlock.redis.protocol.LockScript;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Any client of Spring Data Redis, on threads of our own: Jedis has no other way.
 */
public final class BlockingCommands implements RedisCommands {

	/** How many commands run at a time on one server. */
	private static final int THREADS = 4;

	/** How many run at a time in a Cluster. */
	private static final int LANES = 32;

	private final RedisConnectionFactory factory;

	private final Duration patience;

	private final List<ThreadPoolExecutor> lanes;

	private interface Command {

		@Nullable List<?> run(RedisConnection connection);

	}

	/**
	 * Creates the commands.
	 * @param factory where connections come from, one per command
	 * @param patience how long a command may wait for a thread
	 */
	public BlockingCommands(RedisConnectionFactory factory, Duration patience) {
		this.factory = factory;
		this.patience = patience;
		this.lanes = isCluster(factory) ? Stream.generate(() -> Workers.start(1)).limit(LANES).toList()
				: List.of(Workers.start(THREADS));
	}

	/** How many commands run at a time. */
	public int threads() {
		return (this.lanes.size() == 1) ? THREADS : LANES;
	}

	@Override
	public CompletableFuture<List<Object>> evalSha(LockScript script, List<String> keys, List<String> arguments) {
		byte[][] bytes = bytes(keys, arguments);
		return submit(bytes[0], (connection) -> connection.scriptingCommands()
			.evalSha(script.sha(), ReturnType.MULTI, keys.size(), bytes));
	}

	@Override
	public CompletableFuture<List<Object>> eval(LockScript script, List<String> keys, List<String> arguments) {
		byte[][] bytes = bytes(keys, arguments);
		return submit(bytes[0], (connection) -> connection.scriptingCommands()
			.eval(script.text().getBytes(StandardCharsets.UTF_8), ReturnType.MULTI, keys.size(), bytes));
	}

	@Override
	public String server() {
		return "Redis";
	}

	@Override
	public void close() {
		this.lanes.forEach(ThreadPoolExecutor::shutdown);
	}

	private CompletableFuture<List<Object>> submit(byte[] key, Command command) {
		CompletableFuture<List<Object>> result = new CompletableFuture<>();
		long submitted = System.nanoTime();
		try {
			lane(key).execute(() -> {
				if (System.nanoTime() - submitted > this.patience.toNanos()) {
					result.completeExceptionally(busy());
				}
				else {
					run(command, result);
				}
			});
		}
		catch (RejectedExecutionException ex) {
			result.completeExceptionally(busy());
		}
		return result;
	}

	/**
	 * In a Cluster a lane for each range of slots, as masters have ranges of slots: the
	 * client hangs for seconds on a master that is away, and only its own locks shall
	 * wait for that.
	 */
	private ThreadPoolExecutor lane(byte[] key) {
		int size = this.lanes.size();
		return (size == 1) ? this.lanes.get(0)
				: this.lanes.get(ClusterSlotHashUtil.calculateSlot(key) * size / ClusterSlotHashUtil.SLOT_COUNT);
	}

	public static boolean isCluster(RedisConnectionFactory factory) {
		try (RedisConnection connection = factory.getClusterConnection()) {
			return true;
		}
		catch (RuntimeException ex) {
			// How a factory says so, each in its own way.
			return false;
		}
	}

	private void run(Command command, CompletableFuture<List<Object>> result) {
		try (RedisConnection connection = this.factory.getConnection()) {
			result.complete(texts(command.run(connection)));
		}
		catch (Throwable ex) {
			result.completeExceptionally(ex);
		}
	}

	private static TransientStoreException busy() {
		return new TransientStoreException("",
				"No thread was free in time to send a command to Redis: it hangs, or answers too slowly", null);
	}

	static byte[][] bytes(List<String> keys, List<String> arguments) {
		return Stream.concat(keys.stream(), arguments.stream())
			.map((text) -> text.getBytes(StandardCharsets.UTF_8))
			.toArray(byte[][]::new);
	}

	static List<Object> texts(@Nullable List<?> reply) {
		List<Object> texts = new ArrayList<>();
		if (reply != null) {
			reply.forEach((element) -> texts
				.add((element instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : element));
		}
		return texts;
	}

}

package io.distlock.redis;

import java.time.Duration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.StaleFencingTokenException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.Pause;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * A process that holds a lock for a while, again and again, and prints for how long it
 * believed in it, by a clock that all processes of the machine share. While it holds the
 * lock it sets a fenced value. It releases nothing before the value "released" is there.
 */
final class LockingProcess {

	static final String KEY = "stock:1";

	/** The first command of a cold JVM on a busy machine takes its time. */
	private static final RedisLockStoreSettings PATIENT = RedisLockStoreSettings.builder()
		.commandTimeout(Duration.ofSeconds(8))
		.build();

	private LockingProcess() {
	}

	/**
	 * Runs the process.
	 * @param args port of the server, milliseconds of each hold, number of holds
	 */
	public static void main(String[] args) {
		RedisConnectionFactory factory = Client.LETTUCE
			.connect(new RedisStandaloneConfiguration("127.0.0.1", Integer.parseInt(args[0])));
		RedisFence fence = new RedisFence(factory);
		long holdMillis = Long.parseLong(args[1]);
		try (CloseableLockTemplate locks = LockTemplateBuilder.forStore(new RedisLockStore(factory, PATIENT))
			.settings(LockSettings.builder().commandTimeout(PATIENT.commandTimeout()).build())
			.build()) {
			for (int i = 0; i < Integer.parseInt(args[2]); i++) {
				System.out.println("wants");
				try (LockHandle handle = locks.acquire(LockRequest.of(KEY).waitAtMost(Duration.ofSeconds(60)))) {
					long from = System.nanoTime();
					fence.set("fenced", "x", handle.fencingToken());
					System.out.println("got");
					while (handle.isHeld() && System.nanoTime() - from < holdMillis * 1_000_000) {
						Pause.of(Duration.ofMillis(1));
					}
					while (handle.isHeld() && fence.get("released").isEmpty()) {
						Pause.of(Duration.ofMillis(5));
					}
					System.out.println("believed " + from + " " + System.nanoTime() + " " + handle.fencingToken());
				}
				catch (LockStoreException ex) {
					// On a machine that is busy enough. The lock was not held.
					System.out.println("no answer: " + ex.getMessage());
					i--;
				}
				catch (StaleFencingTokenException ex) {
					System.out.println("stale");
				}
			}
		}
		finally {
			Client.close(factory);
		}
		System.out.println("done");
		System.exit(0);
	}

}

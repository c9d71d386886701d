package io.distlock.redis;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.distlock.test.Pause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** When a store on Lettuce opens its connection for messages. */
@Isolated // looks at all threads
class FirstSubscriptionTests {

	@Test
	void subscribesWhenTheFirstLockIsAskedForAndNotBefore() throws Exception {
		try (StoreUnderTest store = new StoreUnderTest(SharedServers.standalone(Client.LETTUCE))) {
			await().ignoreExceptions().until(() -> store.inspect("first") != null);
			await().during(Duration.ofMillis(300)).until(() -> subscribers(store) == 0);
			assertThat(store.acquired("first:" + UUID.randomUUID(), 1)).isNotNull();
			await().until(() -> subscribers(store) == 1);
		}
	}

	/** Lettuce complains of connections that it opens while its threads stop. */
	@Test
	void stopWaitsForTheConnectionForMessagesThatIsJustOpened() throws Exception {
		for (int attempt = 0; !stopsWhileItOpens(); attempt++) {
			assertThat(attempt).isLessThan(10);
		}
	}

	/** Returns {@code false} if a busy machine missed the moment, or the stop gave up. */
	private static boolean stopsWhileItOpens() throws Exception {
		try (Pipe pipe = new Pipe(SharedServers.standalone());
				Way.Opened connections = Way.LETTUCE.to(pipe.address())) {
			StoreUnderTest store = new StoreUnderTest(connections.factory());
			await().ignoreExceptions().until(() -> store.inspect("first") != null);
			pipe.delayNew(Duration.ofMillis(500));
			store.acquired("first:" + UUID.randomUUID(), 1);
			boolean opening = Pause.atMost(Duration.ofSeconds(1), FirstSubscriptionTests::opens);
			long begun = System.nanoTime();
			store.close();
			boolean patient = System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(2);
			boolean opensStill = opens();
			assertThat(opening && patient && opensStill).isFalse();
			return opening && patient;
		}
	}

	private static boolean opens() {
		return Thread.getAllStackTraces()
			.values()
			.stream()
			.flatMap(Stream::of)
			.anyMatch((frame) -> frame.getMethodName().equals("openPubSub"));
	}

	private static int subscribers(StoreUnderTest store) {
		String answer = SharedServers.standalone().command("PUBSUB", "NUMSUB", StoreUnderTest.channel(store.instance));
		return Integer.parseInt(answer.substring(answer.lastIndexOf('\n') + 1).strip());
	}

}

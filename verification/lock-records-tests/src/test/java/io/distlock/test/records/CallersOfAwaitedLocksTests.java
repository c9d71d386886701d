package io.distlock.test.records;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import io.distlock.records.place.LockRecords;
import io.distlock.spi.CallingThread;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which writes a place may leave to the thread that waits for them. */
class CallersOfAwaitedLocksTests {

	private final MemoryPlace place = new MemoryPlace();

	@Test
	void writeWhenNobodyWaitsThenOfferedToTheCaller() {
		List<Boolean> offered = new CopyOnWriteArrayList<>();
		try (CloseableLockTemplate template = template(offered)) {
			template.acquire("free").close();
		}
		assertThat(offered).hasSize(2).containsOnly(true);
	}

	@Test
	void writeWhenARequestWaitsThenNotOfferedToTheCaller() {
		List<Boolean> offered = new CopyOnWriteArrayList<>();
		try (CloseableLockTemplate holder = template(new CopyOnWriteArrayList<>());
				CloseableLockTemplate waiter = template(offered);
				LockHandle held = holder.acquire("busy")) {
			assertThat(waiter.tryAcquire(LockRequest.of("busy").waitAtMost(Duration.ofSeconds(1)))).isEmpty();
			assertThat(held.isHeld()).isTrue();
		}
		// The one that put it in the queue; before that it took the lock for free.
		assertThat(offered).contains(false);
	}

	private CloseableLockTemplate template(List<Boolean> offered) {
		LockRecords records = this.place.newRecords();
		LockRecords recording = (LockRecords) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { LockRecords.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("write") && arguments.length == 2) {
						offered.add(arguments[1] != CallingThread.NONE);
					}
					return method.invoke(records, arguments);
				});
		// An attempt offers its writes for a tenth of the timeout.
		RecordSettings patient = RecordSettings.NOTIFIED.withCommandTimeout(Duration.ofSeconds(10));
		return LockTemplateBuilder.forStore(new RecordLockStore(recording, patient)).build();
	}

}

package io.distlock.zookeeper;

import java.time.Duration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.test.Pause;

/** A process that holds a lock and prints as long as it believes in it. */
final class StoppedProcess {

	private StoppedProcess() {
	}

	public static void main(String[] arguments) {
		Duration session = Duration.ofMillis(Long.parseLong(arguments[1]));
		try (CloseableLockTemplate template = Servers.template(Servers.store(arguments[0], session))) {
			LockHandle handle = template.acquire(LockRequest.of(arguments[2]).waitAtMost(Duration.ofSeconds(60)));
			System.out.println("token " + handle.fencingToken());
			while (true) {
				// Of the whole machine, so comparable with that of other processes.
				long before = System.nanoTime();
				if (!handle.isHeld()) {
					System.out.println("lost");
					return;
				}
				System.out.println("held " + before);
				// So that the output stays short.
				Pause.of(Duration.ofMillis(5));
			}
		}
	}

}

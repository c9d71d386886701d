package io.distlock.zookeeper;

import java.time.Duration;
import java.util.List;

import io.distlock.CloseableLockTemplate;
import io.distlock.test.Pause;

/**
 * A process whose threads acquire the locks of a crowd, and which prints its beliefs
 * until it is killed.
 */
final class StoppedCrowd {

	private StoppedCrowd() {
	}

	public static void main(String[] arguments) {
		Duration session = Duration.ofMillis(Long.parseLong(arguments[1]));
		CloseableLockTemplate template = Servers.template(Servers.store(arguments[0], session));
		Crowd crowd = new Crowd(List.of(template), 2, Integer.parseInt(arguments[2]));
		while (true) {
			crowd.takeBeliefs().forEach((belief) -> System.out.println(belief.line()));
			// Printing takes time too.
			Pause.of(Duration.ofMillis(10));
		}
	}

}

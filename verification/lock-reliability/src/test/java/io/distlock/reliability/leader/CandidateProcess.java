package io.distlock.reliability.leader;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.leader.LeaderElection;
import io.distlock.reliability.rig.Parent;
import io.distlock.reliability.rig.Stores;
import io.distlock.test.Pause;

import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * A process that stands for election and prints when it is sure to lead. A line is one
 * write to the kernel: those written before a {@code kill -9} are there after it.
 */
final class CandidateProcess {

	/** So that two looks are often enough, and the output stays short. */
	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(2);

	private final Supplier<OptionalLong> leadership;

	private CandidateProcess(Supplier<OptionalLong> leadership) {
		this.leadership = leadership;
	}

	/**
	 * Starts a process.
	 * @param arguments what elects, the store, its address and the lease in milliseconds
	 */
	public static void main(String[] arguments) {
		Parent.dieWithIt();
		Duration lease = Duration.ofMillis(Long.parseLong(arguments[3]));
		LockTemplate locks = LockTemplateBuilder.forStore(Stores.connect(arguments[1], arguments[2], lease))
			.settings(LockSettings.builder().leaseTime(lease).commandTimeout(lease.dividedBy(4)).build())
			.build();
		new CandidateProcess("initiator".equals(arguments[0]) ? initiator(locks, lease) : election(locks)).look();
	}

	private static Supplier<OptionalLong> election(LockTemplate locks) {
		LeaderElection election = LeaderElection.of(locks, "indexer")
			.onGranted((token) -> print("granted", System.nanoTime()))
			.onRevoked((token) -> print("revoked", System.nanoTime()));
		election.start();
		return election::fencingToken;
	}

	/** Spring Integration's, with numbers of its own for the leaderships. */
	private static Supplier<OptionalLong> initiator(LockTemplate locks, Duration lease) {
		LockRegistry<Lock> registry = (key) -> locks.getLock("leader:" + key);
		LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry,
				new DefaultCandidate("candidate", "indexer"));
		initiator.setHeartBeatMillis(lease.dividedBy(10).toMillis());
		AtomicLong number = new AtomicLong();
		initiator.setLeaderEventPublisher(new LeaderEventPublisher() {

			@Override
			public void publishOnGranted(Object source, Context context, String role) {
				number.incrementAndGet();
				print("granted", System.nanoTime());
			}

			@Override
			public void publishOnRevoked(Object source, Context context, String role) {
				print("revoked", System.nanoTime());
			}

			@Override
			public void publishOnFailedToAcquire(Object source, Context context, String role) {
			}

		});
		initiator.start();
		return () -> initiator.getContext().isLeader() ? OptionalLong.of(number.get()) : OptionalLong.empty();
	}

	/**
	 * Prints since when and until when a leadership was certain: from the end of the
	 * first look that found it to the beginning of the last one.
	 */
	private void look() {
		long known = -1;
		long since = 0;
		while (true) {
			long before = System.nanoTime();
			OptionalLong token = this.leadership.get();
			if (token.isEmpty()) {
				known = -1;
			}
			else if (token.getAsLong() != known) {
				known = token.getAsLong();
				since = System.nanoTime();
			}
			else {
				print("leads", known, since, before);
			}
			Pause.of(BETWEEN_LOOKS);
		}
	}

	private static void print(String event, long... numbers) {
		StringBuilder line = new StringBuilder("@ ").append(event);
		for (long number : numbers) {
			line.append(' ').append(number);
		}
		System.out.println(line);
	}

}

package io.distlock.redis.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.distlock.LockStoreException;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.ForeignText;
import io.distlock.support.FutureFailures;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Implements the verbs of a lock store with scripts. It writes their arguments and reads
 * their replies. It also estimates the server's clock, to tell the server when an
 * acquisition comes too late.
 */
public final class LockVerbs {

	/** The number of arguments that each acquisition has. */
	private static final int LEAST_ARGUMENTS = 11;

	private static final byte[] NO = ScriptArguments.encode("0");

	private static final byte[] YES = ScriptArguments.encode("1");

	private static final byte[] NOTHING = new byte[0];

	/** The number of keys that one script reads in about a tenth of a millisecond. */
	private static final int KEYS_AT_ONCE = 50;

	private final RedisCommands commands;

	private final KeyCodec names;

	private final QueueTimes times;

	private final Quarantine quarantine;

	private final Quarantine.Failure inQuarantine;

	private final MasterTags tags;

	private final Inbox.Addresses addresses;

	private final DoubleSupplier random;

	private final LongSupplier nanoTime;

	private final ServerClock clock = new ServerClock();

	private final HolderCodec holders = new HolderCodec();

	private final byte[] channels;

	private final byte[] waiterTtl;

	private final byte[] keep;

	/**
	 * "1" if a script may empty a key for a moment, "0" in a Cluster, which does not
	 * allow it.
	 */
	private final byte[] mayEmpty;

	/** The argument that delays acquisitions if there is no failover delay. */
	private final byte[] guard;

	/**
	 * The last instance; most requests are those of the engine itself, not of its
	 * permits.
	 */
	private volatile Instance last = new Instance("", new byte[0]);

	private record Instance(String text, byte[] encoded) {
	}

	private record Found(List<String> names, String next) {
	}

	/**
	 * Creates the verbs.
	 * @param commands runs the scripts
	 * @param names names of the keys
	 * @param times times of the queue
	 * @param quarantine the quarantine
	 * @param inQuarantine creates the failure of an acquisition during a quarantine
	 * @param tags find the master that has the marker of a failover delay
	 * @param addresses return where to send the message that grants a queued request
	 * @param random numbers from 0 to 1 for jitter
	 * @param nanoTime the monotonic clock
	 */
	public LockVerbs(RedisCommands commands, KeyCodec names, QueueTimes times, Quarantine quarantine,
			Quarantine.Failure inQuarantine, MasterTags tags, Inbox.Addresses addresses, DoubleSupplier random,
			LongSupplier nanoTime) {
		this.commands = commands;
		this.names = names;
		this.times = times;
		this.quarantine = quarantine;
		this.inQuarantine = inQuarantine;
		this.tags = tags;
		this.addresses = addresses;
		this.random = random;
		this.nanoTime = nanoTime;
		this.channels = ScriptArguments.encode(names.channels());
		this.waiterTtl = millis(times.waiterTtl());
		this.keep = millis(times.keep());
		this.mayEmpty = flag(tags == MasterTags.NONE);
		this.guard = ScriptArguments.encode(quarantine.argument(""));
	}

	/**
	 * Acquires a lock, or queues the request.
	 * @param command the request
	 * @return the answer of the server
	 */
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return acquire(command, CallingThread.NONE);
	}

	/**
	 * Acquires a lock, or queues the request.
	 * @param command the request
	 * @param caller may execute the command itself
	 * @return the answer
	 */
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		Optional<LockStoreException> objection = this.quarantine.objection(command.key(), command.lease());
		return objection.isPresent() ? CompletableFuture.failedFuture(objection.get())
				: acquire(this.commands.by(caller), command, this.nanoTime.getAsLong(), true);
	}

	private CompletionStage<AcquireResult> acquire(RedisCommands sender, AcquireCommand command, long begun,
			boolean mayRepeat) {
		long sent = this.nanoTime.getAsLong();
		byte[] redisKey = this.names.encodeAndRemember(command.key());
		return guarded(command.key(), (guard) -> new AcquireCall(sender, command,
				arguments(command, redisKey, sent, guard), begun, sent, mayRepeat)
			.send());
	}

	/**
	 * Releases a lock, or withdraws a queued request. A key with data of another
	 * application contains no such request.
	 * @param key the lock
	 * @param request the request
	 * @param keepFor how long the server keeps a valid hold
	 * @return the answer
	 */
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		return finish(key, request, keepFor, CallingThread.NONE);
	}

	/**
	 * Releases a lock, or withdraws a queued request.
	 * @param key the lock
	 * @param request the request
	 * @param keepFor how long the server keeps a valid hold
	 * @param caller may execute the command itself
	 * @return the answer
	 */
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor, CallingThread caller) {
		RedisCommands sender = this.commands.by(caller);
		ScriptArguments arguments = of(key, 5, request).add(this.keep).add(this.channels).add(this.mayEmpty);
		long kept = keepFor.toMillis();
		if (!this.quarantine.isAfterFailover()) {
			return finish(sender, key, (kept > 0) ? arguments.add(NOTHING).add(kept) : arguments);
		}
		return guarded(key, (guard) -> finish(sender, key, arguments.add(guard).add(kept)));
	}

	private CompletionStage<FinishResult> finish(RedisCommands sender, String key, ScriptArguments arguments) {
		return run(sender, LockScript.FINISH, key, arguments, Replies::finish, FinishResult.UNKNOWN);
	}

	/** Creates arguments that begin with the key of a lock and a request. */
	private ScriptArguments of(String key, int usual, RequestId request) {
		return new ScriptArguments(usual, this.names.encoded(key)).add(instance(request)).add(request.number());
	}

	private byte[] instance(RequestId request) {
		String text = request.instance();
		Instance known = this.last;
		if (!known.text().equals(text)) {
			known = new Instance(text, ScriptArguments.encode(text));
			this.last = known;
		}
		return known.encoded();
	}

	/**
	 * Renews a hold. A key with data of another application contains no such hold.
	 * @param command the hold and its lease
	 * @return the answer
	 */
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		Optional<LockStoreException> objection = this.quarantine.objection(command.key(), command.lease());
		if (objection.isPresent()) {
			return CompletableFuture.failedFuture(objection.get());
		}
		ScriptArguments arguments = of(command.key(), 5, command.request()).add(command.lease().toMillis())
			.add(command.tokens())
			.add(this.keep);
		return run(LockScript.RENEW, command.key(), arguments, Replies::renew, new RenewResult.Gone(false));
	}

	/**
	 * Raises the token of a hold.
	 * @param key the lock
	 * @param request the request that holds it
	 * @param token the new first token of its block
	 * @param tokens how many tokens the block has
	 * @return {@code false} if the request does not hold the lock, or has a higher token
	 */
	public CompletionStage<Boolean> raise(String key, RequestId request, long token, int tokens) {
		ScriptArguments arguments = of(key, 5, request).add(token).add(this.keep).add(tokens);
		return run(LockScript.RAISE_TOKEN, key, arguments, (reply) -> Replies.code(reply) == Replies.HELD, null);
	}

	/**
	 * Reads the state of a lock.
	 * @param key the lock
	 * @return its holders and waiters
	 */
	public CompletionStage<LockSnapshot> inspect(String key) {
		return run(LockScript.INSPECT, key, new ScriptArguments(0, this.names.encoded(key)),
				(reply) -> Replies.snapshot(key, reply), null);
	}

	/**
	 * Ends holds by force.
	 * @param command the holds to end
	 * @return the requests whose holds were ended by force
	 */
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		List<RequestId> holds = List.copyOf(command.holds());
		return guarded(command.key(), (guard) -> {
			ScriptArguments arguments = new ScriptArguments(3 + 2 * holds.size(), this.names.encoded(command.key()));
			arguments.add(this.keep).add(this.channels).add(this.quarantine.isAfterFailover() ? guard : NOTHING);
			for (RequestId hold : holds) {
				arguments.add(instance(hold)).add(hold.number());
			}
			return run(LockScript.FORCE_RELEASE, command.key(), arguments, (reply) -> Replies.forced(holds, reply),
					null);
		});
	}

	/**
	 * Finds locks that are held or waited for. Each call reads some keys of one master,
	 * so it may return a few more locks than requested, or none.
	 * @param command which locks to find
	 * @return the locks, and where to continue
	 */
	public CompletionStage<LockPage> list(ListCommand command) {
		ListCursor cursor = ListCursor.parse(command.cursor());
		int count = Math.min(command.most(), KEYS_AT_ONCE);
		return this.tags.all().thenCompose((masters) -> {
			if (cursor.master() >= masters.size()) {
				return CompletableFuture.completedFuture(LockPage.EMPTY);
			}
			ScriptArguments arguments = new ScriptArguments(3,
					ScriptArguments.encode(this.names.any(masters.get(cursor.master()))))
				.add(ScriptArguments.encode(cursor.position()))
				.add(ScriptArguments.encode(this.names.pattern(command.prefix())))
				.add(count);
			return run(LockScript.LIST, command.prefix() + "*", arguments,
					(reply) -> new Found(Replies.names(reply), Replies.nextPosition(reply)), null)
				.thenCompose((found) -> page(found.names(), cursor.after(found.next(), masters.size())));
		});
	}

	private CompletionStage<LockPage> page(List<String> names, String next) {
		CompletableFuture<List<LockSnapshot>> locks = CompletableFuture.completedFuture(List.of());
		for (String name : Set.copyOf(names)) {
			locks = locks.thenCombine(look(name), (found, lock) -> {
				List<LockSnapshot> more = new ArrayList<>(found);
				lock.filter(LockSnapshot::isUsed).ifPresent(more::add);
				return more;
			});
		}
		return locks.thenApply((found) -> new LockPage(found, next));
	}

	/**
	 * Reads one lock. A lock that cannot be read is left out, so that the others are
	 * still listed.
	 */
	private CompletionStage<Optional<LockSnapshot>> look(String name) {
		String key = this.names.readable(name);
		return run(LockScript.INSPECT, key, new ScriptArguments(0, ScriptArguments.encode(name)),
				(reply) -> readable(key, reply), Optional.empty());
	}

	private static Optional<LockSnapshot> readable(String key, List<Object> reply) {
		try {
			return Optional.of(Replies.snapshot(key, reply));
		}
		catch (RuntimeException ex) {
			return Optional.empty();
		}
	}

	/** Runs a script that grants locks, and passes the argument that delays grants. */
	private <T> CompletionStage<T> guarded(String key, Function<byte[], CompletionStage<T>> command) {
		return this.quarantine.isAfterFailover()
				? this.tags.of(this.names.encode(key))
					.thenCompose((tag) -> command.apply(ScriptArguments.encode(this.quarantine.argument(tag))))
				: command.apply(this.guard);
	}

	private <T> CompletionStage<T> run(LockScript script, String key, ScriptArguments arguments,
			Function<List<Object>, T> reader, @Nullable T ifForeign) {
		return run(this.commands, script, key, arguments, reader, ifForeign);
	}

	private <T> CompletionStage<T> run(RedisCommands sender, LockScript script, String key, ScriptArguments arguments,
			Function<List<Object>, T> reader, @Nullable T ifForeign) {
		long sent = this.nanoTime.getAsLong();
		return new ScriptCall<>(sender, script, key, arguments, ifForeign) {

			@Override
			void read(List<Object> given) {
				List<Object> reply = (script == LockScript.FINISH) ? Replies.finished(given) : given;
				observe(script, sent, reply);
				complete(RedisFailure.whenReading(key, () -> reader.apply(reply)));
			}

		}.send();
	}

	private void observe(LockScript script, long sent, List<Object> reply) {
		this.clock.observe(sent, this.nanoTime.getAsLong(), Replies.storeTime(script, reply));
	}

	private ScriptArguments arguments(AcquireCommand command, byte[] redisKey, long sent, byte[] guard) {
		long claim = this.times.claimMillis(command.lease());
		boolean alone = command.sharing() instanceof Sharing.Exclusive;
		int more = !alone ? 2 : command.queue() ? 1 : 0;
		ScriptArguments arguments = new ScriptArguments(LEAST_ARGUMENTS + more, this.quarantine.keys(redisKey))
			.add(instance(command.request()))
			.add(command.request().number())
			.add(command.lease().toMillis())
			.add(claim)
			.add(command.queue() ? this.waiterTtl : NO)
			.add(command.tokens())
			.add(this.keep)
			.add(this.clock.notAfter(sent, command.timeout()))
			.add(this.channels)
			.add(guard)
			.add(ScriptArguments.encode(this.holders.encode(command.holder())));
		if (command.queue() || !alone) {
			arguments.add(command.queue() ? ScriptArguments.encode(this.addresses.of(command.request().number(), claim))
					: NOTHING);
		}
		if (!alone) {
			arguments.add(ScriptArguments
				.encode((command.sharing() instanceof Sharing.Permit permit) ? Integer.toString(permit.of()) : "S"));
		}
		return arguments;
	}

	private AcquireResult result(String key, List<Object> reply) {
		return switch (Replies.code(reply)) {
			case Replies.HELD -> new AcquireResult.Granted(Replies.grant(reply), Replies.waiters(reply));
			case Replies.QUEUED -> new AcquireResult.Queued(Replies.storeTime(LockScript.ACQUIRE, reply),
					pollWithin(reply), Replies.holder(reply));
			case Replies.BUSY -> new AcquireResult.Busy(Replies.holder(reply));
			case Replies.OVER -> new AcquireResult.Ended();
			case Replies.QUARANTINED -> throw refusal(key, reply);
			default -> throw new LockStoreException(key, "The script returned an unknown reply: "
					+ ForeignText.of(reply.toString()) + " (acquire of lock '" + KeyText.of(key) + "')", null);
		};
	}

	private LockStoreException refusal(String key, List<Object> reply) {
		long until = Replies.quarantinedUntil(reply);
		long remaining = until - Replies.storeTime(LockScript.ACQUIRE, reply);
		Instant end = Instant.ofEpochMilli(until);
		return this.inQuarantine.create(key, this.quarantine.refusal(key, end, remaining), end);
	}

	/**
	 * Returns a random time near the poll interval, so that waiters do not poll at the
	 * same time. If the holder's lease ends sooner, the time is just after that end.
	 */
	private Duration pollWithin(List<Object> reply) {
		double jitter = this.random.getAsDouble();
		Duration interval = Duration.ofNanos((long) (this.times.pollInterval().toNanos() * (0.8 + 0.4 * jitter)));
		Duration afterLease = Replies.holderRemaining(reply).plusNanos((long) (1_000_000 * (1 + 9 * jitter)));
		return (afterLease.compareTo(interval) < 0) ? afterLease : interval;
	}

	private static byte[] millis(Duration duration) {
		return ScriptArguments.encode(Long.toString(duration.toMillis()));
	}

	private static byte[] flag(boolean set) {
		return set ? YES : NO;
	}

	/** An acquisition, which is sent once more if it reached the server too late. */
	private final class AcquireCall extends ScriptCall<AcquireResult> {

		private final RedisCommands sender;

		private final AcquireCommand command;

		private final long begun;

		private final long sent;

		private final boolean mayRepeat;

		AcquireCall(RedisCommands sender, AcquireCommand command, ScriptArguments arguments, long begun, long sent,
				boolean mayRepeat) {
			super(sender, LockScript.ACQUIRE, command.key(), arguments, null);
			this.sender = sender;
			this.command = command;
			this.begun = begun;
			this.sent = sent;
			this.mayRepeat = mayRepeat;
		}

		@Override
		void read(List<Object> given) {
			String key = this.command.key();
			List<Object> reply = Replies.acquired(given, this.command.request().number(),
					this.command.lease().toMillis());
			observe(LockScript.ACQUIRE, this.sent, reply);
			if (Replies.code(reply) != Replies.TOO_LATE) {
				complete(RedisFailure.whenReading(key, () -> result(key, reply)));
				return;
			}
			// Either the command was under way for too long, or the estimate of the clock
			// was wrong. This reply has just corrected the estimate.
			long elapsed = LockVerbs.this.nanoTime.getAsLong() - this.begun;
			if (!this.mayRepeat || elapsed >= this.command.timeout().toNanos()) {
				throw new TransientStoreException(key,
						"The request for lock '" + KeyText.of(key) + "' reached Redis too late to be executed", null);
			}
			acquire(this.sender, this.command, this.begun, false).whenComplete((answer, failure) -> {
				if (failure != null) {
					completeExceptionally(FutureFailures.unwrap(failure));
				}
				else {
					complete(answer);
				}
			});
		}

	}

}

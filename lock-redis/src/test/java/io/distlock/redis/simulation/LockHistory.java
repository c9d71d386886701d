package io.distlock.redis.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.distlock.redis.StoredLock;
import io.distlock.spi.Sharing;

/** What the store did with one lock. */
final class LockHistory {

	/** Begins the instance of a hold that is kept after its release. */
	private static final String KEPT = "~";

	private final World world;

	private final Rules rules;

	/** Grants by the first token of each block. */
	private final TreeMap<Long, Block> blocks = new TreeMap<>();

	/** The highest request of each instance that has ended. */
	private final Map<String, Long> ended = new HashMap<>();

	private final Map<String, Long> firstAnswers = new HashMap<>();

	/** How each request wants the lock. */
	private final Map<String, Sharing> wanted = new HashMap<>();

	/** Since when those wait who do, in true time. */
	private final Map<String, Long> waiting = new HashMap<>();

	/** Holds that were released by force, and when their leases would have ended. */
	private final Map<String, Long> forced = new HashMap<>();

	/** When they were released, in true time. */
	private final Map<String, Long> forcedAt = new HashMap<>();

	private long highestToken;

	private long grants;

	private long idleSince = -1;

	LockHistory(World world, Rules rules) {
		this.world = world;
		this.rules = rules;
	}

	void executed(Command command, long millis, StoredLock before, StoredLock after, Object reply) {
		// The usual case answers with a text or a number instead of a list.
		long code = !(reply instanceof List<?> parts) ? 1 : (parts.get(0) instanceof Long number) ? number : 0;
		if (command.is("FINISH")) {
			finished(command, code);
		}
		else if (command.is("FORCE_RELEASE")) {
			forced(command, millis, before, after);
		}
		else if (command.is("ACQUIRE")) {
			acquired(command, code, before, after);
		}
		List<String> granted = newHolders(before, after);
		checkOrder(command, millis, before, after, granted);
		this.rules.require(granted.isEmpty() || !this.world.server().isNew(millis),
				"I1 a new master grants nothing for the delay", command, "made", before, "to", after);
		checkEnded(after);
		checkTogether(millis, after);
		if (looksAtQueue(command, code, before)) {
			checkNobodyLeftOut(millis, after);
		}
		noteWaiting(after);
	}

	/** A request that is refused is over, and so is the hold of an earlier one. */
	private void acquired(Command command, long code, StoredLock before, StoredLock after) {
		Sharing first = this.wanted.putIfAbsent(command.id(), command.wanted());
		this.rules.require(first == null || first.equals(command.wanted()), "I3 a request does not change", command);
		if (code == 0) {
			end(command.instance(), command.request());
		}
		before.holdOf(command.instance())
			.filter((own) -> own.request() < command.request() && !after.heldBy(own.instance(), own.request()))
			.ifPresent((own) -> end(own.instance(), own.request()));
	}

	private void finished(Command command, long code) {
		Long first = this.firstAnswers.putIfAbsent(command.id(), code);
		boolean superseded = this.ended.getOrDefault(command.instance(), 0L) > command.request();
		this.rules.require(first == null || first == code || superseded, "I7 a repetition gets the first answer",
				command.id(), code, "after", first);
		end(command.instance(), command.request());
	}

	/** Ends the holds that the order names, and no other. */
	private void forced(Command command, long millis, StoredLock before, StoredLock after) {
		boolean any = false;
		for (StoredLock.Hold hold : before.valid(millis)) {
			boolean named = command.names(hold.instance(), hold.request());
			this.rules.require(named != after.heldBy(hold.instance(), hold.request()),
					"I3 who is named is released by force, and nobody else", hold, "by", command, "made it", after);
			if (named) {
				this.forced.put(hold.instance() + " #" + hold.request(), hold.expiry());
				this.forcedAt.put(hold.instance() + " #" + hold.request(), this.world.schedule().now());
				end(hold.instance(), hold.request());
				any = true;
			}
		}
		if (any) {
			checkNobodyLeftOut(millis, after);
		}
	}

	/**
	 * When the lease of a hold would have ended that was released by force.
	 * @param token a token of the hold
	 * @return by the server's clock, or {@code null} if it was not
	 */
	Long forcedUntil(long token) {
		return this.forced.get(block(token).id());
	}

	/**
	 * When a hold was released by force.
	 * @param token a token of the hold
	 * @return in true time, in nanoseconds
	 */
	long forcedAt(long token) {
		return this.forcedAt.get(block(token).id());
	}

	private void end(String instance, long request) {
		this.ended.merge(instance, request, Math::max);
	}

	private void checkEnded(StoredLock after) {
		for (StoredLock.Hold hold : after.holds()) {
			this.rules.require(hold.request() > this.ended.getOrDefault(hold.instance(), 0L),
					"I3 who ended does not hold", after);
		}
		for (StoredLock.Waiter waiter : after.queue()) {
			this.rules.require(waiter.request() > this.ended.getOrDefault(waiter.instance(), 0L),
					"I3 who ended does not wait", after);
		}
	}

	/** Those to whom a command gave the lock, in the order of their tokens. */
	private List<String> newHolders(StoredLock before, StoredLock after) {
		List<String> granted = new ArrayList<>(1);
		for (StoredLock.Hold hold : after.holds()) {
			StoredLock.Hold known = before.holdOf(hold.instance())
				.filter((old) -> old.request() == hold.request())
				.orElse(null);
			if (known != null && known.token() == hold.token()) {
				continue;
			}
			if (hold.instance().startsWith(KEPT)) {
				this.rules.require(before.holds().stream().anyMatch((old) -> old.token() == hold.token()),
						"I3 only what was held is kept after a release", hold, "from", before);
				continue;
			}
			this.rules.require(hold.token() > this.highestToken, "I2 tokens increase from grant to grant", after,
					"after", this.highestToken);
			this.highestToken = Math.max(this.highestToken, hold.lastToken());
			Block block = (known != null) ? this.blocks.get(known.token()) : null;
			if (known == null) {
				this.grants++;
				this.idleSince = -1;
				granted.add(hold.instance());
			}
			this.blocks.put(hold.token(), new Block((block != null) ? block.grant() : this.grants, hold.instance(),
					hold.request(), hold.lastToken()));
		}
		return granted;
	}

	/**
	 * First come, first served, among those who are alive: those who were granted it are
	 * those who came first.
	 */
	private void checkOrder(Command command, long millis, StoredLock before, StoredLock after, List<String> granted) {
		if (granted.isEmpty()) {
			return;
		}
		List<String> line = before.queue()
			.stream()
			.filter((waiter) -> waiter.instance().equals(command.instance()) ? keepsPlace(command, after, granted)
					: waiter.aliveUntil() > millis)
			.map(StoredLock.Waiter::instance)
			.collect(Collectors.toCollection(ArrayList::new));
		if (!line.contains(command.instance())) {
			line.add(command.instance());
		}
		this.rules.require(line.size() >= granted.size() && line.subList(0, granted.size()).equals(granted),
				"I6 first come, first served", command, "made it", after, "from", before);
	}

	/** Who asks without waiting has left the line, and comes last. */
	private static boolean keepsPlace(Command command, StoredLock after, List<String> granted) {
		return !command.asksOnce() && granted.contains(command.instance())
				|| after.queue().stream().anyMatch((waiter) -> waiter.instance().equals(command.instance()));
	}

	/** Each holds as it wants, and no more hold than may. */
	private void checkTogether(long millis, StoredLock after) {
		for (StoredLock.Hold hold : after.holds()) {
			String instance = hold.instance().startsWith(KEPT)
					? hold.instance().substring(hold.instance().indexOf(KEPT, 1) + 1) : hold.instance();
			Sharing wish = this.wanted.getOrDefault(instance + " #" + hold.request(), Sharing.EXCLUSIVE);
			this.rules.require(after.kind() == wish.getClass(), "I1 who holds it holds it as asked for", hold, "wants",
					wish, "but", after);
			int valid = after.valid(millis).size();
			this.rules.require(valid == 0 || wish.admits(valid - 1), "I1 no more than permitted", after, "of", wish);
		}
	}

	/** Whether it is up to this command to let in who waits. */
	private static boolean looksAtQueue(Command command, long code, StoredLock before) {
		if (command.is("FINISH")) {
			return before.holdOf(command.instance()).filter((own) -> own.request() <= command.request()).isPresent()
					|| before.queue()
						.stream()
						.anyMatch((own) -> own.instance().equals(command.instance())
								&& own.request() <= command.request());
		}
		return command.is("ACQUIRE") && code >= 0;
	}

	private void checkNobodyLeftOut(long millis, StoredLock after) {
		StoredLock.Waiter first = after.queue()
			.stream()
			.filter((waiter) -> waiter.aliveUntil() > millis)
			.findFirst()
			.orElse(null);
		this.rules.require(
				first == null || !fits(first, after, after.valid(millis).size()) || this.world.server().delays(millis),
				"I5 the first in line is let in if it fits", after);
	}

	private static boolean fits(StoredLock.Waiter waiter, StoredLock lock, int holds) {
		return holds == 0 || lock.kind() == waiter.wanted().getClass() && waiter.wanted().admits(holds);
	}

	private void noteWaiting(StoredLock after) {
		this.waiting.keySet()
			.removeIf((instance) -> after.queue().stream().noneMatch((waiter) -> waiter.instance().equals(instance)));
		after.queue().forEach((waiter) -> this.waiting.putIfAbsent(waiter.instance(), this.world.schedule().now()));
	}

	/** The grant that a token is of. */
	Block block(long token) {
		Map.Entry<Long, Block> entry = this.blocks.floorEntry(token);
		return (entry != null && token <= entry.getValue().last()) ? entry.getValue() : Block.NONE;
	}

	/** For how long another instance than this one has been waiting in the store. */
	long othersWait(String instance) {
		long now = this.world.schedule().now();
		return this.waiting.entrySet()
			.stream()
			.filter((waiter) -> !waiter.getKey().equals(instance))
			.mapToLong((waiter) -> now - waiter.getValue())
			.max()
			.orElse(0);
	}

	void stateLost() {
		this.ended.clear();
		this.firstAnswers.clear();
		this.waiting.clear();
	}

	/**
	 * For how long it has been wanted, and nobody believes, and nobody was granted it.
	 * @param wanted whether that is so now
	 * @param countsFrom no time before counts
	 */
	long idle(boolean wanted, long countsFrom) {
		long now = this.world.schedule().now();
		if (!wanted) {
			this.idleSince = -1;
			return 0;
		}
		if (this.idleSince < 0) {
			this.idleSince = now;
		}
		return now - Math.max(this.idleSince, countsFrom);
	}

	/**
	 * Tokens that were granted together.
	 *
	 * @param grant which grant of the lock it was
	 * @param owner the instance
	 * @param request its request
	 * @param last the last token
	 */
	record Block(long grant, String owner, long request, long last) {

		static final Block NONE = new Block(0, "nobody", 0, 0);

		String id() {
			return this.owner + " #" + this.request;
		}

	}

}

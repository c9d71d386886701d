package io.distlock.lab.node;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.LockLoss;
import io.distlock.lab.event.LabEvent.Kind;
import io.distlock.lab.strategy.Happenings;
import org.jspecify.annotations.Nullable;

/** Writes down what happens in a node besides what its customers do. */
final class NodeHappenings implements Happenings {

	/** So many calls of a script are enough to understand it. */
	private static final int CALLS = 6;

	private static final int HOLDERS = 32;

	private final EventLog log;

	private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

	private final ThreadLocal<Integer> caller = ThreadLocal.withInitial(() -> -1);

	private final ThreadLocal<Long> token = new ThreadLocal<>();

	/** Who acquired the latest locks of this project, by their tokens. */
	private final Map<Long, Integer> holders = new LinkedHashMap<>();

	private int lastHolder = -1;

	NodeHappenings(EventLog log) {
		this.log = log;
	}

	/** The calling thread is this caller from now on. */
	void calls(int number) {
		this.caller.set(number);
	}

	/**
	 * Returns the token of the lock that the calling thread acquired last, or nothing.
	 */
	String token() {
		Long last = this.token.get();
		return (last != null) ? last.toString() : "";
	}

	@Override
	public void acquired(long fencingToken) {
		this.token.set(fencingToken);
		synchronized (this.holders) {
			this.lastHolder = this.caller.get();
			this.holders.put(fencingToken, this.lastHolder);
			if (this.holders.size() > HOLDERS) {
				this.holders.remove(this.holders.keySet().iterator().next());
			}
		}
	}

	@Override
	public void askedForMore() {
		synchronized (this.holders) {
			this.log.add(Kind.RENEWED, this.lastHolder, 0, 0);
		}
	}

	@Override
	public void lost(LockLoss loss) {
		synchronized (this.holders) {
			Integer holder = this.holders.get(loss.fencingToken());
			if (holder != null) {
				this.log.add(Kind.LOST, holder, 0, 0, loss.reason().name());
			}
		}
	}

	@Override
	public void ran(String name, List<String> keys, List<String> args, @Nullable Object result) {
		boolean renewed = name.equals("hash_renew.lua") && Long.valueOf(1).equals(result);
		if (renewed) {
			String owner = args.get(0);
			this.log.add(Kind.RENEWED, Integer.parseInt(owner.substring(owner.indexOf(':') + 1)), 0, 0);
		}
		if (this.calls.computeIfAbsent(name, (script) -> new AtomicInteger()).getAndIncrement() < CALLS) {
			List<String> words = new ArrayList<>(List.of(name, Integer.toString(keys.size())));
			words.addAll(keys);
			words.addAll(args);
			words.add(String.valueOf(result));
			this.log.add(Kind.SCRIPT, this.caller.get(), 0, 0, String.join("\n", words));
		}
	}

}

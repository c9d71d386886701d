package io.distlock.internal.waiting;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.distlock.internal.hold.Hold;
import io.distlock.internal.time.LocalDeadline;

/**
 * The extensions of a key's holds that wait for an answer of the store.
 *
 * @param waiting the extensions, in the order in which they arrived
 */
public record Extensions(List<Extension> waiting) {

	private static final Extensions NONE = new Extensions(List.of());

	/**
	 * Returns the extensions of a key for which none waits.
	 * @return none
	 */
	public static Extensions none() {
		return NONE;
	}

	/** Returns whether no extension waits. */
	public boolean isEmpty() {
		return this.waiting.isEmpty();
	}

	/** Returns these extensions and one more. */
	public Extensions with(Extension extension) {
		return new Extensions(Stream.concat(this.waiting.stream(), Stream.of(extension)).toList());
	}

	/** Returns these extensions except one. */
	public Extensions without(Waiter extension) {
		return isEmpty() ? this : new Extensions(matching((other) -> other != extension));
	}

	/** Returns the extensions of a hold, in the order in which they arrived. */
	public List<Extension> of(Hold hold) {
		return isEmpty() ? this.waiting : matching((extension) -> extension.hold() == hold);
	}

	/**
	 * Returns the extensions that an answer of the store covers. They came before the
	 * command, and they want no longer lease than it requested.
	 * @param sentAt when the command was sent
	 * @param requested the term that the command requested
	 */
	public List<Extension> answeredBy(long sentAt, Duration requested) {
		return isEmpty() ? this.waiting : matching((extension) -> extension.isAnsweredBy(sentAt, requested));
	}

	/**
	 * Returns the extensions whose time is over, even if later extensions wait for the
	 * same answer.
	 */
	public List<Extension> overdue(long now) {
		return isEmpty() ? this.waiting : matching((extension) -> extension.remaining(now) <= 0);
	}

	private List<Extension> matching(Predicate<Extension> condition) {
		return this.waiting.stream().filter(condition).toList();
	}

	/** Returns when the time of the first extension is over. */
	public long dueBy(long latest) {
		// The usual case, checked after each event of the key.
		if (isEmpty()) {
			return latest;
		}
		long next = latest;
		for (Extension extension : this.waiting) {
			next = LocalDeadline.earlier(next, extension.deadline());
		}
		return next;
	}

}

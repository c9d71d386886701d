package io.distlock.spi;

import java.util.Set;

import io.distlock.support.KeyText;

/**
 * Ends holds of a lock against the will of their owners. The command names each hold by
 * its request, as {@link LockStore#inspect} reported it. A late copy of the command
 * therefore ends no hold that was granted since.
 *
 * @param key the lock
 * @param holds the requests whose holds are to end
 */
public record ForceReleaseCommand(String key, Set<RequestId> holds) {

	/** The most holds that one command ends. */
	public static final int MOST = 5000;

	/**
	 * Creates a command with a copy of the requests.
	 * @param key the lock
	 * @param holds the requests whose holds are to end
	 * @throws IllegalArgumentException if there are more than {@value #MOST}
	 */
	public ForceReleaseCommand {
		holds = Set.copyOf(holds);
		if (holds.size() > MOST) {
			throw new IllegalArgumentException(
					"At most " + MOST + " holds can be released at once, there were " + holds.size());
		}
	}

	@Override
	public String toString() {
		return "ForceReleaseCommand[key=" + KeyText.of(this.key) + ", holds=" + this.holds + "]";
	}

}

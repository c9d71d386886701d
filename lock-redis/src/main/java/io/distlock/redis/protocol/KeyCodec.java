package io.distlock.redis.protocol;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.distlock.support.KeyDigest;
import org.jspecify.annotations.Nullable;

/**
 * Converts names of locks into names of Redis keys. Two locks never share a Redis key,
 * and the name of a lock can neither choose a Cluster slot nor break a log line. A name
 * that would be too long is cut. It ends in a mark, which no other name contains, and a
 * digest of the whole lock key.
 */
public final class KeyCodec {

	static final int MAX_BYTES = 512;

	/**
	 * Marks a digest; in other places four hexadecimal digits follow the percent sign.
	 */
	private static final String DIGEST = "%~";

	/**
	 * Reserved: four hexadecimal digits follow a percent sign in the name of a lock.
	 */
	private static final String MARKER = "%boot";

	/** Reserved like {@link #MARKER}. */
	private static final String MASTER = "%master";

	/** Reserved like {@link #MARKER}. */
	private static final String ANY = "%any";

	/** Characters with a special meaning in a Redis pattern. */
	private static final String GLOB = "*?[]^-\\";

	private static final int READABLE = 40;

	/** The number of remembered names, a power of two. */
	private static final int RECENT = 256;

	private final String prefix;

	/**
	 * Finds the key of a shortened name, because a message contains only the name. Weak
	 * references suffice, because waiters and holders keep the key of their lock
	 * reachable.
	 */
	private final Map<String, LongKey> longKeys = new ConcurrentHashMap<>();

	private final ReferenceQueue<String> unused = new ReferenceQueue<>();

	/**
	 * Remembers names that were encoded lately: the release needs each name again, and
	 * most locks are used more than once. Long keys are left out, because this array
	 * would keep them reachable.
	 */
	private final AtomicReferenceArray<@Nullable Encoded> recent = new AtomicReferenceArray<>(RECENT);

	private record Encoded(String key, byte[] name) {
	}

	/**
	 * Creates a codec.
	 * @param prefix the text with which all keys and channels begin
	 */
	public KeyCodec(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Returns the text with which the channels of all instances begin.
	 * @return the prefix of the channels; part of the digest of the instance id follows
	 * it
	 */
	public String channels() {
		return this.prefix + "ch:";
	}

	/**
	 * Returns the Redis key that shows that a server has its data.
	 * @return the key
	 */
	public String marker() {
		return this.prefix + MARKER;
	}

	/**
	 * Returns the Redis key that names the master that grants locks.
	 * @return the key, without a hash tag
	 */
	public String master() {
		return this.prefix + MASTER;
	}

	/**
	 * Returns a key that belongs to no lock, on a master of a Cluster.
	 * @param tag a hash tag of the master; empty without a Cluster
	 * @return the key
	 */
	String any(String tag) {
		return this.prefix + ANY + (tag.isEmpty() ? "" : "{" + tag + "}");
	}

	/**
	 * Returns the pattern of the names of locks, for SCAN and for the rights of a user.
	 * @param beginning the text with which the keys of the locks begin
	 * @return the pattern
	 */
	public String pattern(String beginning) {
		return glob(escape(beginning));
	}

	/**
	 * Returns the pattern of all channels, for the rights of a user.
	 * @return the pattern
	 */
	public String channelPattern() {
		return glob(channels());
	}

	private static String glob(String name) {
		StringBuilder pattern = new StringBuilder(name.length() + 8);
		for (int i = 0; i < name.length(); i++) {
			char c = name.charAt(i);
			if (GLOB.indexOf(c) >= 0) {
				pattern.append('\\');
			}
			pattern.append(c);
		}
		return pattern.append('*').toString();
	}

	/**
	 * Returns the lock of a Redis key in readable form.
	 * @param name the Redis key
	 * @return the lock; for a long key that this process does not use, its beginning and
	 * digest
	 */
	String readable(String name) {
		String rest = name.substring(Math.min(this.prefix.length(), name.length()));
		try {
			String key = decode(name);
			return (key != null) ? key : rest;
		}
		catch (IllegalArgumentException | IndexOutOfBoundsException ex) {
			return rest;
		}
	}

	/**
	 * Returns the Redis key of a lock.
	 * @param key the lock
	 * @return the Redis key
	 */
	public String encode(String key) {
		if (key.length() < MAX_BYTES) {
			String name = escape(key);
			if (name.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES) {
				return name;
			}
		}
		return escape(key.substring(0, Math.min(READABLE, key.length()))) + DIGEST + KeyDigest.of(key);
	}

	/** Returns the bytes of the Redis key of a lock; the caller must not change them. */
	byte[] encoded(String key) {
		Encoded known = this.recent.get(place(key));
		return (known != null && known.key().equals(key)) ? known.name() : encoded(key, encode(key));
	}

	/** Does the same as {@link #encoded}, and lets {@link #decode} find the key. */
	byte[] encodeAndRemember(String key) {
		Encoded known = this.recent.get(place(key));
		if (known != null && known.key().equals(key)) {
			return known.name();
		}
		String name = encode(key);
		remember(key, name);
		return encoded(key, name);
	}

	private byte[] encoded(String key, String name) {
		byte[] bytes = ScriptArguments.encode(name);
		if (!isDigest(name)) {
			this.recent.lazySet(place(key), new Encoded(key, bytes));
		}
		return bytes;
	}

	private static int place(String key) {
		int hash = key.hashCode();
		return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (RECENT - 1);
	}

	/**
	 * Lets {@link #decode} find a key for as long as other code keeps this object
	 * reachable.
	 * @param key the lock
	 * @param name its Redis key
	 */
	void remember(String key, String name) {
		if (!isDigest(name)) {
			return;
		}
		for (Object old = this.unused.poll(); old != null; old = this.unused.poll()) {
			this.longKeys.remove(((LongKey) old).name, old);
		}
		// Another object with the same text may be dropped earlier than this object.
		this.longKeys.compute(name,
				(same, known) -> (known != null && known.refersTo(key)) ? known : new LongKey(same, key, this.unused));
	}

	/** Returns how many long keys are remembered. */
	int remembered() {
		return this.longKeys.size();
	}

	/**
	 * Returns the lock of a Redis key, the inverse of {@link #encode}.
	 * @param name the Redis key
	 * @return the lock; {@code null} if the name lacks the prefix, or if it belongs to a
	 * long key that this process does not use
	 */
	public @Nullable String decode(String name) {
		if (!name.startsWith(this.prefix)) {
			return null;
		}
		if (isDigest(name)) {
			LongKey key = this.longKeys.get(name);
			return (key != null) ? key.get() : null;
		}
		StringBuilder key = new StringBuilder(name.length());
		for (int i = this.prefix.length(); i < name.length(); i++) {
			char c = name.charAt(i);
			if (c == '%') {
				key.append((char) Integer.parseInt(name, i + 1, i + 5, 16));
				i += 4;
			}
			else {
				key.append(c);
			}
		}
		return key.toString();
	}

	private boolean isDigest(String name) {
		return name.indexOf(DIGEST, this.prefix.length()) >= 0;
	}

	private String escape(String key) {
		StringBuilder name = new StringBuilder(this.prefix.length() + key.length() + 8).append(this.prefix);
		for (int i = 0; i < key.length(); i++) {
			char c = key.charAt(i);
			if (special(key, i)) {
				name.append('%').append(HexFormat.of().toHexDigits(c));
			}
			else {
				name.append(c);
			}
		}
		return name.toString();
	}

	/**
	 * Finds half a surrogate pair, which would become a question mark and make two names
	 * one.
	 */
	private static boolean special(String key, int i) {
		char c = key.charAt(i);
		if (Character.isHighSurrogate(c)) {
			return i + 1 == key.length() || !Character.isLowSurrogate(key.charAt(i + 1));
		}
		if (Character.isLowSurrogate(c)) {
			return i == 0 || !Character.isHighSurrogate(key.charAt(i - 1));
		}
		return c == '%' || c == '{' || c == '}' || Character.isISOControl(c);
	}

	private static final class LongKey extends WeakReference<String> {

		private final String name;

		private LongKey(String name, String key, ReferenceQueue<String> unused) {
			super(key, unused);
			this.name = name;
		}

	}

}

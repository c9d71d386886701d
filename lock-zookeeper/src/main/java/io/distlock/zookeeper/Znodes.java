package io.distlock.zookeeper;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

import io.distlock.support.KeyDigest;
import org.apache.zookeeper.common.PathUtils;

/**
 * Makes the names of znodes. No two locks share a znode. Locks are spread among folders,
 * because a client ends its connection if the names in one folder exceed 1 MB. A lock key
 * never becomes a tree of znodes, or a name that ZooKeeper reserves. Names are printable
 * ASCII, so that an operator can type them. A name that would be too long is cut. It ends
 * in a digest of the whole lock key, after a mark that no other name contains.
 */
final class Znodes {

	static final int LONGEST_NAME = 200;

	/** The number of folders among which locks are spread. */
	static final int SPREAD = 256;

	/**
	 * Marks a digest. Everywhere else, four hexadecimal digits follow the percent sign.
	 */
	private static final String DIGEST = "%~";

	private static final int READABLE = 25;

	/**
	 * Starts each name, so that no name is empty, {@code .}, {@code ..} or
	 * {@code zookeeper}.
	 */
	private static final char FIRST = 'k';

	private final String root;

	/**
	 * Creates names.
	 * @param namespace the namespace of the Curator client, possibly empty
	 * @param root an absolute path
	 */
	Znodes(String namespace, String root) {
		String path = root.equals("/") ? "" : root;
		this.root = namespace.isEmpty() ? path : "/" + namespace + path;
	}

	/** Returns why a path cannot be a root, or an empty text if it can. */
	static String violation(String root) {
		try {
			PathUtils.validatePath(root);
			return "";
		}
		catch (IllegalArgumentException ex) {
			return "it is no absolute path of ZooKeeper";
		}
	}

	/** Returns whether an untrusted text can be the name of a znode in a folder. */
	static boolean isName(String text) {
		return text.indexOf('/') < 0 && violation("/" + text).isEmpty();
	}

	/** Returns the folders that must exist beside {@link #spread()}, parents first. */
	List<String> folders() {
		List<String> folders = new ArrayList<>();
		for (int i = this.root.indexOf('/', 1); i > 0; i = this.root.indexOf('/', i + 1)) {
			folders.add(this.root.substring(0, i));
		}
		if (!this.root.isEmpty()) {
			folders.add(this.root);
		}
		folders.addAll(List.of(locks(), lives(), mails()));
		return folders;
	}

	/** Returns the root of all znodes, within the chroot of the connect string. */
	String root() {
		return this.root.isEmpty() ? "/" : this.root;
	}

	String locks() {
		return this.root + "/locks";
	}

	/** Returns the names of the folders in {@link #locks()} that must exist. */
	static List<String> spreadNames() {
		return IntStream.range(0, SPREAD).mapToObj(Znodes::spreadName).toList();
	}

	private static String spreadName(int folder) {
		return HexFormat.of().toHexDigits((byte) folder);
	}

	/** Returns the folders that have the records of locks. */
	List<String> spread() {
		return spreadNames().stream().map((name) -> locks() + "/" + name).toList();
	}

	String lives() {
		return this.root + "/live";
	}

	private String mails() {
		return this.root + "/mail";
	}

	/** Returns the znode of a process, which exists as long as the process's session. */
	String live(String incarnation) {
		return lives() + "/" + incarnation;
	}

	/** Returns the znode with the last messages to a process. */
	String mail(String incarnation) {
		return mails() + "/" + incarnation;
	}

	/** Returns the znode with the record of a lock. */
	String lock(String key) {
		return path(name(key));
	}

	/** Returns the path of the znode with this name, which has the record of a lock. */
	String path(String name) {
		return locks() + "/" + spreadName(Math.floorMod(name.hashCode(), SPREAD)) + "/" + name;
	}

	static String name(String key) {
		if (key.length() < LONGEST_NAME) {
			String name = escape(key);
			if (name.length() <= LONGEST_NAME) {
				return name;
			}
		}
		String readable = escape(key.substring(0, Math.min(READABLE, key.length())));
		return readable + DIGEST + KeyDigest.of(key);
	}

	/** Returns the common start of the names of all keys with this prefix. */
	static String beginning(String prefix) {
		return escape(prefix);
	}

	/**
	 * Returns the key of a znode. For a long key, returns its beginning and its digest.
	 */
	static String key(String name) {
		StringBuilder key = new StringBuilder(name.length());
		for (int i = 1; i < name.length(); i++) {
			char c = name.charAt(i);
			boolean escaped = c == '%' && name.length() >= i + 5 && name.substring(i + 1, i + 5).matches("[0-9a-f]{4}");
			key.append(escaped ? (char) HexFormat.fromHexDigits(name, i + 1, i + 5) : c);
			i += escaped ? 4 : 0;
		}
		return key.toString();
	}

	private static String escape(String key) {
		StringBuilder name = new StringBuilder(key.length() + 8).append(FIRST);
		for (int i = 0; i < key.length(); i++) {
			char c = key.charAt(i);
			if (c <= ' ' || c > '~' || c == '%' || c == '/') {
				name.append('%').append(HexFormat.of().toHexDigits(c));
			}
			else {
				name.append(c);
			}
		}
		return name.toString();
	}

}

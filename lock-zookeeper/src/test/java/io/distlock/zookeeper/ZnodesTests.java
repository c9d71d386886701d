package io.distlock.zookeeper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ZnodesTests {

	private final Znodes znodes = new Znodes("", "/distributed-lock");

	@Test
	void aUsualKeyStaysReadable() {
		assertThat(this.znodes.lock("stock:book-1")).matches("/distributed-lock/locks/[0-9a-f]{2}/kstock:book-1");
	}

	@Test
	void aKeyMakesNoTreeAndNoReservedName() {
		for (String key : List.of("", ".", "..", "/", "a/b", "../zookeeper", "zookeeper", "\u0000", " ", "\uD800")) {
			String path = this.znodes.lock(key);
			PathUtils.validatePath(path);
			assertThat(path.substring("/distributed-lock/locks/00/".length())).doesNotContain("/")
				.startsWith("k")
				.matches("[!-~]+");
		}
	}

	@Test
	void noTwoKeysShareAName() {
		Map<String, String> names = new HashMap<>();
		Random random = new Random(1);
		for (int i = 0; i < 100_000; i++) {
			String key = hostile(random);
			String name = Znodes.name(key);
			String before = names.putIfAbsent(name, key);
			if ((before != null && !before.equals(key)) || name.length() > Znodes.LONGEST_NAME) {
				assertThat(key).as(name).isEqualTo(before);
				assertThat(name).hasSizeLessThanOrEqualTo(Znodes.LONGEST_NAME);
			}
			PathUtils.validatePath("/" + name);
		}
	}

	/** Short keys of few special characters, so that a wrong escape would collide. */
	private static String hostile(Random random) {
		String special = "%~k/.0aAe\u0000\u0001 \uD800\uDC00\uFFFF\u00e9{}";
		StringBuilder key = new StringBuilder();
		int length = (random.nextInt(20) == 0) ? 190 + random.nextInt(30) : random.nextInt(9);
		for (int i = 0; i < length; i++) {
			key.append(special.charAt(random.nextInt(special.length())));
		}
		return key.toString();
	}

	/** Otherwise the names in one folder would soon be too long for one answer. */
	@Test
	void locksAreSpreadEvenlyAmongFoldersThatExist() {
		Map<String, Integer> counts = new HashMap<>();
		for (int i = 0; i < 100_000; i++) {
			String path = this.znodes.lock("order:" + i);
			counts.merge(path.substring(0, path.lastIndexOf('/')), 1, Integer::sum);
		}
		assertThat(counts.keySet()).isSubsetOf(this.znodes.spread());
		assertThat(counts.values()).allMatch((count) -> count < 4 * 100_000 / Znodes.SPREAD);
	}

	@Test
	void aLongKeyEndsInADigestThatNoShortKeyHas() {
		String longKey = "k".repeat(10_000);
		String name = Znodes.name(longKey);
		assertThat(name).hasSizeLessThanOrEqualTo(Znodes.LONGEST_NAME).isNotEqualTo(Znodes.name(longKey + "k"));
		assertThat(Znodes.name(name.substring(1))).isNotEqualTo(name);
	}

	@Test
	void theRootIsCreatedFromItsFirstFolderOn() {
		assertThat(new Znodes("", "/a/b").folders()).containsExactly("/a", "/a/b", "/a/b/locks", "/a/b/live",
				"/a/b/mail");
		assertThat(new Znodes("space", "/").folders()).containsExactly("/space", "/space/locks", "/space/live",
				"/space/mail");
		assertThat(new Znodes("", "/").folders()).isEqualTo(new ArrayList<>(List.of("/locks", "/live", "/mail")));
	}

}

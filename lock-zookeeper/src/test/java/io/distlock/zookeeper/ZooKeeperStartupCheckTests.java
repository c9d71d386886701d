package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.distlock.spi.StoreCheckResult;
import io.distlock.test.redis.FreePort;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ZooKeeperStartupCheckTests {

	private static final ZooKeeperLockStoreSettings SETTINGS = settings().build();

	private static CuratorFrameworkFactory.Builder client() {
		return Servers.client(Servers.shared().address());
	}

	private static CuratorFrameworkFactory.Builder user(String name) {
		return client().authorization("digest", (name + ":secret").getBytes(StandardCharsets.UTF_8));
	}

	private static ZooKeeperLockStoreSettings.Builder settings() {
		return Servers.settings().connectionTimeout(Duration.ofSeconds(20));
	}

	private static StoreCheckResult check(CuratorFrameworkFactory.Builder client, ZooKeeperLockStoreSettings settings) {
		return new ZooKeeperStartupCheck(client, settings).run();
	}

	@Test
	void aServerThatCanKeepLocksPassesAndNothingIsLeftBehind() throws Exception {
		assertThat(check(client(), settings().root("/passed/deep").build())).isEqualTo(new StoreCheckResult.Passed());
		try (CuratorFramework look = Servers.started(client())) {
			assertThat(SweeperTests.names(look, new Znodes("", "/passed/deep"))).as("left behind").isEmpty();
			assertThat(look.getChildren().forPath("/passed/deep/live")).isEmpty();
		}
	}

	@Test
	void rightsThatAreMissingAreAProblem() {
		ZooKeeperLockStoreSettings own = settings().root("/owned").acl(ZooDefs.Ids.CREATOR_ALL_ACL).build();
		assertThat(check(user("alice"), own)).isInstanceOf(StoreCheckResult.Passed.class);
		assertProblem(check(user("bob"), own), "no right");
		assertProblem(check(client(), settings().root("/anonymous").acl(ZooDefs.Ids.CREATOR_ALL_ACL).build()),
				"needs a user");
	}

	@Test
	void aChrootThatDoesNotExistIsAProblem() {
		assertProblem(check(Servers.client(Servers.shared().address() + "/missing"), SETTINGS), "/missing");
	}

	@Test
	void noServerIsNoProblemOfTheSettings() {
		assertThat(check(Servers.client("127.0.0.1:" + FreePort.find("127.0.0.1")),
				settings().connectionTimeout(Duration.ofMillis(300)).build()))
			.isInstanceOf(StoreCheckResult.Unreachable.class);
	}

	static void assertProblem(StoreCheckResult result, String text) {
		assertThat(result).isInstanceOf(StoreCheckResult.Problems.class);
		List<String> problems = ((StoreCheckResult.Problems) result).problems();
		assertThat(problems).singleElement().asString().contains(text).doesNotContain("secret");
	}

}

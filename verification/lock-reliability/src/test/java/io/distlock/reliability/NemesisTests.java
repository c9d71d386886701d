package io.distlock.reliability;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

import io.distlock.reliability.rig.Cast;
import io.distlock.reliability.rig.Cast.Member;
import io.distlock.reliability.rig.Checker.Verdict;
import io.distlock.reliability.rig.FaultProxy;
import io.distlock.reliability.rig.FaultProxy.Injury;
import io.distlock.reliability.rig.Figures;
import io.distlock.test.Pause;
import io.distlock.reliability.rig.WorkerOptions;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** All faults that mutual exclusion must survive, one after the other, by chance. */
@Tag("ci")
class NemesisTests {

	private static final WorkerOptions LETTUCE = WorkerOptions.defaults();

	private final Pass pass = Pass.current();

	private final long seed = Long.getLong("reliability.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final List<Consumer<Duration>> faults = List.of(this::killWorker, this::freezeWorker, this::killServer,
			this::pauseServer, this::pauseClients, this::killConnections, this::flushScripts, this::fillMemory,
			this::takeChannels, this::delayMessages, this::delayAll, this::loseReplies, this::replay, this::partition,
			this::drop);

	private RedisServer redis;

	private FaultProxy network;

	private Cast cast;

	private int workers;

	@BeforeEach
	void start() {
		this.redis = RedisServer.builder().args("--appendonly", "yes", "--appendfsync", "always").start();
		this.network = new FaultProxy(this.redis.host(), this.redis.port());
		this.cast = new Cast(this.redis.host(), this.network.port());
	}

	@AfterEach
	void stop() {
		this.cast.close();
		this.network.close();
		this.redis.close();
	}

	@Test
	void workersWhenFaultsFollowEachOtherThenNoTwoBelieveAtOnce() {
		this.cast.play(3, Duration.ofMillis(2), Duration.ZERO);
		for (int i = 0; i < 4; i++) {
			add();
		}
		this.cast.awaitReady();
		int acquisitions = this.pass.of(800, 20_000);
		int faults = 0;
		while (this.cast.sections() < acquisitions || faults < this.faults.size()) {
			// Each of them once, then by chance.
			int next = (faults < this.faults.size()) ? faults : this.random.nextInt(this.faults.size());
			this.faults.get(next).accept(Duration.ofMillis(this.random.nextInt(this.pass.of(300, 2000))));
			faults++;
			Pause.of(Duration.ofMillis(this.random.nextInt(this.pass.of(100, 2000))));
		}
		this.network.heal();
		this.cast.awaitReady();
		this.cast.awaitSections(20);
		this.cast.rest();
		Verdict verdict = this.cast.end();
		new Figures("all faults by chance", "").report(verdict.grants(), faults, verdict.violations().size(),
				verdict.losses() + " losses told, " + this.cast.errors() + " attempts failed and said so, seed "
						+ this.seed);
		assertThat(verdict.violations()).as("violations with seed " + this.seed).isEmpty();
		assertThat(verdict.forgotten()).as("holds that the store forgot, with seed " + this.seed).isZero();
	}

	private void add() {
		WorkerOptions options = (this.workers++ % 2 == 0) ? LETTUCE : LETTUCE.with("client", "jedis");
		this.cast.add(options.with("threads", 1 + this.workers % 3));
	}

	private Member anybody() {
		List<Member> alive = this.cast.alive();
		return alive.get(this.random.nextInt(alive.size()));
	}

	private void killWorker(Duration time) {
		anybody().kill();
		add();
	}

	private void freezeWorker(Duration time) {
		Member victim = anybody();
		victim.freeze();
		Pause.of(time);
		victim.thaw();
	}

	private void killServer(Duration time) {
		this.redis.kill();
		Pause.of(time.dividedBy(2));
		this.redis.restart();
	}

	private void pauseServer(Duration time) {
		this.redis.pause();
		Pause.of(time);
		this.redis.resume();
	}

	private void pauseClients(Duration time) {
		this.redis.command("CLIENT", "PAUSE", String.valueOf(time.toMillis() + 1),
				this.random.nextBoolean() ? "ALL" : "WRITE");
		Pause.of(time.plusMillis(2));
	}

	private void killConnections(Duration time) {
		this.redis.command("CLIENT", "KILL", "TYPE", this.random.nextBoolean() ? "normal" : "pubsub");
	}

	private void flushScripts(Duration time) {
		this.redis.command("SCRIPT", "FLUSH");
	}

	private void fillMemory(Duration time) {
		this.redis.command("CONFIG", "SET", "maxmemory", "1");
		Pause.of(time);
		this.redis.command("CONFIG", "SET", "maxmemory", "0");
	}

	private void takeChannels(Duration time) {
		this.redis.command("ACL", "SETUSER", "default", "resetchannels");
		Pause.of(time);
		this.redis.command("ACL", "SETUSER", "default", "allchannels");
	}

	private void delayMessages(Duration time) {
		during(time, () -> this.network.delayMessages(time));
	}

	private void delayAll(Duration time) {
		during(time, () -> {
			this.network.delayRequests(time.dividedBy(20));
			this.network.delayReplies(time.dividedBy(20));
		});
	}

	private void loseReplies(Duration time) {
		for (Injury injury : Injury.values()) {
			this.network.injure(injury);
		}
		Pause.of(time.dividedBy(4));
	}

	private void replay(Duration time) {
		during(time, () -> this.network.replay(time.plusMillis(1)));
	}

	private void partition(Duration time) {
		during(time, this.network::partition);
	}

	private void drop(Duration time) {
		boolean requests = this.random.nextBoolean();
		during(time, () -> this.network.drop(requests, !requests));
	}

	private void during(Duration time, Runnable fault) {
		fault.run();
		Pause.of(time);
		this.network.heal();
	}

}

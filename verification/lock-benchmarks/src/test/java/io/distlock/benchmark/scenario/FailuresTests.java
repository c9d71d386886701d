package io.distlock.benchmark.scenario;

import java.util.ArrayList;
import java.util.List;

import io.distlock.benchmark.measure.RedisProbe;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.RedisAddress;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * That one implementation which fails costs the others nothing, and the run its success.
 */
class FailuresTests {

	private final List<String> news = new ArrayList<>();

	private final Failures failures = new Failures(this.news::add);

	@Test
	void roundsWhenOneFailsThenTheOthersAreMeasuredInAllRounds() {
		List<Sample> samples = new ArrayList<>();
		List<String> attempts = new ArrayList<>();
		try (RedisServer server = RedisServer.start()) {
			RedisAddress redis = new RedisAddress(server.host(), server.port());
			try (RedisProbe probe = new RedisProbe(redis)) {
				Options options = Options.DEFAULTS.with("rounds", "3").with("warmup", "1");
				Bench bench = new Bench(options, redis, probe, samples::add, this.failures);
				for (String part : List.of("A1", "A8")) {
					bench.rounds(part, List.of(Implementation.REDISSON, Implementation.FLOOR),
							(implementation, round) -> {
								attempts.add(part + implementation + round);
								if (part.equals("A1") && implementation == Implementation.REDISSON && round == 2) {
									throw new IllegalArgumentException("out of order");
								}
								return new Sample(part, implementation.label(), round);
							});
				}
			}
		}
		assertThat(samples.stream().map((one) -> one.scenario() + one.implementation() + one.round()))
			.containsExactlyInAnyOrder("A1Redisson1", "A1floor1", "A1floor2", "A1floor3", "A8Redisson1", "A8Redisson2",
					"A8Redisson3", "A8floor1", "A8floor2", "A8floor3");
		assertThat(attempts).doesNotContain("A1REDISSON3");
		assertThat(this.news).containsExactly("A1, Redisson: java.lang.IllegalArgumentException: out of order");
		assertThatIllegalStateException().isThrownBy(this.failures::rethrow)
			.withMessage("1 of the measurements failed, the first: out of order")
			.satisfies((ex) -> assertThat(ex.getSuppressed()).hasSize(1));
	}

	@Test
	void rethrowWhenNothingFailedThenReturns() {
		assertThatCode(this.failures::rethrow).doesNotThrowAnyException();
	}

}

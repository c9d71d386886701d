package io.distlock.benchmark.report;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.peer.Implementation;

/**
 * How many times as fast as another one ours is: 2 is twice as fast, 0.5 half as fast.
 * Table and chart show the same ones.
 *
 * @param situation what was done
 * @param client which client ours and the other one use
 * @param against whom ours is compared with
 */
record Ratio(Situation situation, Client client, Against against) {

	/** What a reader may want a lock for. */
	enum Situation {

		/** One thread. */
		A1("A1", "one thread", Metric.RATE),

		/** Some threads, each with a key of its own. */
		A8("A8", "8 threads, a key each", Metric.RATE),

		/** Many threads that rarely meet. */
		A64("A64", "64 threads, 10,000 keys", Metric.RATE),

		/** A call now and then. */
		P1_ACQUIRE("P1", "a call every ms: acquiring", Metric.WAIT_P50),

		/** The other half of the same. */
		P1_RELEASE("P1", "a call every ms: releasing", Metric.RELEASE_P50),

		/** Threads of a process that want the same. */
		B64("B64", "64 threads, one key", Metric.RATE),

		/** Processes that want the same. */
		C4X2("C4x2", "4 processes with 2 threads, one key", Metric.RATE),

		/** A crowd. */
		D1000("D1000", "until 1,000 waiting threads are served", Metric.DRAIN),

		/** Readers and a writer. */
		H16("H16-mixed", "16 threads, one in 20 writes", Metric.RATE);

		private final String part;

		private final String label;

		private final Metric metric;

		Situation(String part, String label, Metric metric) {
			this.part = part;
			this.label = label;
			this.metric = metric;
		}

		String part() {
			return this.part;
		}

		String label() {
			return this.label;
		}

	}

	/** The client that sends the commands. */
	enum Client {

		/** An event loop sends, the default. */
		LETTUCE("Lettuce", Implementation.OURS_CONFIRMED, Implementation.FLOOR, Implementation.SPRING_INTEGRATION),

		/** The calling thread sends. */
		JEDIS("Jedis, direct", Implementation.OURS_DIRECT, Implementation.FLOOR_DIRECT,
				Implementation.SPRING_INTEGRATION_JEDIS);

		private final String label;

		private final Implementation ours;

		private final Implementation floor;

		private final Implementation spring;

		Client(String label, Implementation ours, Implementation floor, Implementation spring) {
			this.label = label;
			this.ours = ours;
			this.floor = floor;
			this.spring = spring;
		}

		String label() {
			return this.label;
		}

	}

	/** Whom ours is compared with. */
	enum Against {

		/** What does no more than is necessary. */
		POSSIBLE("the floor"),

		/** The registry of Spring Integration on the same client. */
		SPRING("Spring Integration"),

		/** Redisson, which has a client of its own. */
		REDISSON("Redisson");

		private final String label;

		Against(String label) {
			this.label = label;
		}

		String label() {
			return this.label;
		}

		/** Where threads wait there is no floor, but a fair lock of the JDK. */
		private List<Implementation> candidates(Client client) {
			return switch (this) {
				case POSSIBLE -> List.of(client.floor, Implementation.REENTRANT_LOCK);
				case SPRING -> List.of(client.spring);
				case REDISSON -> List.of(Implementation.REDISSON);
			};
		}

	}

	OptionalDouble value(Runs runs, Compiler compiler) {
		return runs.newest(this.situation.part, compiler, this::value);
	}

	/** The run that the value is of. */
	Optional<ResultFile> origin(Runs runs, Compiler compiler) {
		return runs.of(this.situation.part, compiler).stream().filter((run) -> value(run).isPresent()).findFirst();
	}

	private OptionalDouble value(ResultFile run) {
		Samples samples = run.samples(this.situation.part);
		boolean more = this.situation.metric == Metric.RATE;
		return this.against.candidates(this.client)
			.stream()
			.map((other) -> samples.paired(this.situation.metric, this.situation.part, this.client.ours.label(),
					this.situation.part, other.label(), (ours, theirs) -> more ? ours / theirs : theirs / ours))
			.filter(OptionalDouble::isPresent)
			.findFirst()
			.orElse(Objects.requireNonNull(OptionalDouble.empty()));
	}

	/** All of them, the client changing before the situation. */
	static List<Ratio> all() {
		return Stream.of(Situation.values())
			.flatMap((situation) -> Stream.of(Client.values())
				.flatMap((client) -> Stream.of(Against.values())
					.map((against) -> new Ratio(situation, client, against))))
			.toList();
	}

	/** Those of a situation and a client that were measured. */
	static List<Ratio> measured(Runs runs, Situation situation, Client client, Compiler compiler) {
		return Stream.of(Against.values())
			.map((against) -> new Ratio(situation, client, against))
			.filter((ratio) -> ratio.value(runs, compiler).isPresent())
			.toList();
	}

}

package io.distlock.benchmark.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import io.distlock.benchmark.measure.Machine;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Peer;
import io.distlock.benchmark.peer.RedisAddress;
import org.jspecify.annotations.Nullable;

/**
 * A process that takes part in a measurement: does what it reads from standard input, one
 * command a line, and answers on standard output. It ends with its input.
 */
public final class ChildMain {

	/** What answers begin with, whatever else is printed. */
	static final String ANSWER = "@@ ";

	private final RedisAddress redis;

	private final SharedMemory memory;

	private final long process;

	private @Nullable Peer peer;

	private @Nullable SharedSection section;

	private @Nullable Crew crew;

	private double cpuBefore;

	private double cpu;

	private ChildMain(RedisAddress redis, Path memory, long process) {
		this.redis = redis;
		this.memory = new SharedMemory(memory);
		this.process = process;
	}

	/**
	 * Runs the process.
	 * @param args host and port of the server, shared file, number of this process
	 * @throws IOException if standard input fails
	 */
	public static void main(String[] args) throws IOException {
		RedisAddress redis = new RedisAddress(args[0], Integer.parseInt(args[1]));
		ChildMain child = new ChildMain(redis, Path.of(args[2]), Long.parseLong(args[3]));
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
		for (String line = in.readLine(); line != null; line = in.readLine()) {
			System.out.println(ANSWER + child.answer(line.split(" ")));
		}
		System.exit(0);
	}

	private String answer(String[] words) {
		try {
			switch (words[0]) {
				case "open" -> open(words);
				case "start" -> Objects.requireNonNull(this.crew).start();
				case "enter" -> enter(Phase.valueOf(words[1]));
				case "stop" -> {
					return stop();
				}
				case "close" -> Objects.requireNonNull(this.peer).close();
				default -> throw new IllegalArgumentException(words[0]);
			}
			return "ok";
		}
		catch (RuntimeException | Error ex) {
			ex.printStackTrace();
			return "failed " + ex;
		}
	}

	private void open(String[] words) {
		Peer opened = Implementation.valueOf(words[1]).open(this.redis);
		Load load = Load.contended(Integer.parseInt(words[2]), Duration.ofNanos(Long.parseLong(words[3])));
		SharedSection guarded = new SharedSection(this.memory, this.process, load.body());
		this.peer = opened;
		this.section = guarded;
		this.crew = new Crew(load, opened, words[4], guarded);
		this.cpu = 0;
	}

	private void enter(Phase phase) {
		double now = Machine.cpuMicros();
		if (phase == Phase.MEASURED) {
			this.cpuBefore = now;
		}
		else if (this.cpu == 0) {
			this.cpu = now - this.cpuBefore;
		}
		Objects.requireNonNull(this.crew).enter(phase);
	}

	private String stop() {
		Tally tally = Objects.requireNonNull(this.crew).stop();
		return new ChildTally(tally, Objects.requireNonNull(this.section).handOvers(), this.cpu).toLine();
	}

}

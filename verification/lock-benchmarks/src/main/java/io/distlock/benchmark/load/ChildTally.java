package io.distlock.benchmark.load;

import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * What the crew of one process did.
 *
 * @param tally the crew's
 * @param handOvers from a release in another process to the acquisition in this one
 * @param cpuMicros processor time of the process while measured
 */
public record ChildTally(Tally tally, Histogram handOvers, double cpuMicros) {

	String toLine() {
		List<Object> words = List.of(this.tally.measured(), this.tally.watched(), this.tally.total(),
				this.tally.least(), this.tally.most(), Waits.encode(this.tally.waits()), Waits.encode(this.handOvers),
				this.cpuMicros);
		return String.join(" ", words.stream().map(String::valueOf).toList());
	}

	static ChildTally fromLine(String line) {
		String[] words = line.split(" ");
		long[] numbers = new long[5];
		for (int i = 0; i < numbers.length; i++) {
			numbers[i] = Long.parseLong(words[i]);
		}
		Tally tally = new Tally(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], Waits.decode(words[5]));
		return new ChildTally(tally, Waits.decode(words[6]), Double.parseDouble(words[7]));
	}

}

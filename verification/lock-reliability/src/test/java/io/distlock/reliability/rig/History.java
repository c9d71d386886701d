package io.distlock.reliability.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What all workers did, and what was done to them.
 *
 * @param grants the locks they got
 * @param killed when each of the killed was killed
 * @param over the workers that say that they ended
 * @param uneasy the workers that ended with something of a lock left
 * @param errors how many attempts failed because of the store
 */
public record History(List<Grant> grants, Map<Integer, Long> killed, Set<Integer> over, Set<Integer> uneasy,
		int errors) {

	/** Reads the journals of a directory. */
	static History read(Path directory, int workers, Map<Integer, Long> killed) {
		List<Grant> grants = new ArrayList<>();
		Set<Integer> over = new HashSet<>();
		Set<Integer> uneasy = new HashSet<>();
		int errors = 0;
		for (int worker = 0; worker < workers; worker++) {
			Map<String, Grant> open = new HashMap<>();
			for (String line : lines(Journal.file(directory, worker))) {
				String[] words = line.split(" ");
				switch (words[0]) {
					case "G" -> open.put(words[2], granted(words));
					case "E" -> open.computeIfPresent(words[2], (id, grant) -> ended(grant, words));
					case "L" -> open.computeIfPresent(words[2], (id, grant) -> lost(grant, words));
					case "C" -> open.computeIfPresent(words[2], (id, grant) -> closed(grant, words));
					case "X" -> errors++;
					case "D" -> end(worker, words[3], over, uneasy);
					case "T" -> end(worker, words[4], over, uneasy);
					default -> throw new IllegalStateException("Not a journal: " + line);
				}
			}
			Long death = killed.get(worker);
			open.values().forEach((grant) -> grants.add((death != null) ? grant.endedAt(death) : grant));
		}
		return new History(grants, killed, over, uneasy, errors);
	}

	/** Only what concerns some of the keys. */
	public History of(int firstKey, int keys) {
		return new History(this.grants.stream()
			.filter((grant) -> grant.key() >= firstKey && grant.key() < firstKey + keys)
			.toList(), this.killed, this.over, this.uneasy, this.errors);
	}

	/** How many say that they wrote the plain counter of a key. */
	long counted(int key) {
		return this.grants.stream().filter((grant) -> grant.key() == key && grant.ending().counted()).count();
	}

	private static void end(int worker, String clean, Set<Integer> over, Set<Integer> uneasy) {
		over.add(worker);
		if (!Boolean.parseBoolean(clean)) {
			uneasy.add(worker);
		}
	}

	/** A killed worker may leave half a line. */
	private static List<String> lines(Path file) {
		try {
			String text = Files.exists(file) ? Files.readString(file) : "";
			return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Grant granted(String[] words) {
		return new Grant(Integer.parseInt(words[1]), Integer.parseInt(words[3]), number(words[4]), number(words[5]),
				number(words[6]), number(words[7]), Grant.sharing(words[8]), Grant.Ending.NONE);
	}

	private static Grant ended(Grant grant, String[] words) {
		Grant.Ending before = grant.ending();
		return with(grant, number(words[4]), new Grant.Ending(number(words[3]), before.closed(), flag(words[5]),
				flag(words[6]), flag(words[7]), flag(words[8]), before.told(), before.forgotten(), before.lostAt()));
	}

	private static Grant lost(Grant grant, String[] words) {
		Grant.Ending before = grant.ending();
		return with(grant, Math.min(grant.until(), number(words[3])),
				new Grant.Ending(before.end(), before.closed(), before.counted(), before.fenced(), before.refused(),
						before.held(), before.told(), before.forgotten(), number(words[3])));
	}

	private static Grant closed(Grant grant, String[] words) {
		Grant.Ending before = grant.ending();
		return with(grant, grant.until(), new Grant.Ending(before.end(), number(words[4]), before.counted(),
				before.fenced(), before.refused(), before.held(), flag(words[5]), flag(words[6]), before.lostAt()));
	}

	private static Grant with(Grant grant, long until, Grant.Ending ending) {
		return new Grant(grant.worker(), grant.key(), grant.token(), grant.asked(), grant.start(), until,
				grant.sharing(), ending);
	}

	private static long number(String word) {
		return Long.parseLong(word);
	}

	private static boolean flag(String word) {
		return Boolean.parseBoolean(word);
	}

}

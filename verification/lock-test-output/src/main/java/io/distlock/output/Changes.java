package io.distlock.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files that differ from the upstream branch: commits that are not there, and what is
 * not committed. Where git cannot say, everything counts as changed.
 */
class Changes {

	private final Path directory;

	private Optional<List<String>> files = Optional.empty();

	private boolean asked;

	Changes() {
		this(Path.of(""));
	}

	/**
	 * Creates the changes of a working tree.
	 * @param directory the root of the tree, or below it
	 */
	Changes(Path directory) {
		this.directory = directory.toAbsolutePath();
	}

	/** Whether a file changed that is in one of the folders, which are below the root. */
	boolean concern(String... folders) {
		return files()
			.map((changed) -> changed.stream()
				.anyMatch((file) -> Stream.of(folders).anyMatch((folder) -> file.startsWith(folder + "/"))))
			.orElse(true);
	}

	private synchronized Optional<List<String>> files() {
		if (!this.asked) {
			this.asked = true;
			this.files = git("merge-base", "HEAD", "@{upstream}")
				.flatMap((base) -> git("diff", "--name-only", base.get(0)))
				.flatMap((changed) -> git("ls-files", "--others", "--exclude-standard", "--full-name", ":/")
					.map((added) -> Stream.concat(changed.stream(), added.stream()).toList()));
		}
		return this.files;
	}

	private Optional<List<String>> git(String... arguments) {
		List<String> command = new ArrayList<>(List.of("git"));
		command.addAll(List.of(arguments));
		try {
			Process git = new ProcessBuilder(command).directory(this.directory.toFile())
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			List<String> lines = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()
				.toList();
			return (git.waitFor() == 0) ? Optional.of(lines) : Optional.empty();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new UncheckedIOException(new IOException("Interrupted while git ran", ex));
		}
	}

}

package io.distlock.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ChangesTests {

	@TempDir
	private Path directory;

	private Path tree;

	@BeforeEach
	void cloneOfATrunk() throws Exception {
		Path trunk = Files.createDirectory(this.directory.resolve("trunk"));
		git(trunk, "init", "--quiet");
		write(trunk, "lock-core/Engine.java");
		write(trunk, "lock-core-extra/Extra.java");
		commit(trunk);
		this.tree = this.directory.resolve("clone");
		git(this.directory, "clone", "--quiet", trunk.toString(), this.tree.toString());
	}

	@Test
	void freshCloneHasNone() {
		assertThat(changed("lock-core", "lock-core-extra")).isFalse();
	}

	@Test
	void fileThatIsEditedIsOneOfItsFolder() throws Exception {
		write(this.tree, "lock-core-extra/Extra.java");
		assertThat(changed("lock-core")).isFalse();
		assertThat(changed("lock-core", "lock-core-extra")).isTrue();
	}

	@Test
	void fileThatGitDoesNotTrackYetIsOne() throws Exception {
		write(this.tree, "lock-core/New.java");
		assertThat(changed("lock-core")).isTrue();
	}

	@Test
	void commitThatTheUpstreamDoesNotHaveIsOne() throws Exception {
		write(this.tree, "lock-core/Engine.java");
		commit(this.tree);
		assertThat(changed("lock-core")).isTrue();
		assertThat(changed("lock-core-extra")).isFalse();
	}

	@Test
	void everythingIsChangedWithoutAnUpstream() throws Exception {
		git(this.tree, "checkout", "--quiet", "--detach");
		assertThat(changed("anything")).isTrue();
	}

	/** As from a module, which is below the root. */
	private boolean changed(String... folders) {
		return new Changes(this.tree.resolve("lock-core")).concern(folders);
	}

	private static void write(Path tree, String file) throws IOException {
		Path path = tree.resolve(file);
		Files.createDirectories(path.getParent());
		Files.writeString(path, Files.exists(path) ? Files.readString(path) + "more\n" : "text\n");
	}

	private static void commit(Path tree) throws Exception {
		git(tree, "add", "--all");
		git(tree, "-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false", "commit",
				"--quiet", "--no-verify", "--message", "Change");
	}

	private static void git(Path directory, String... arguments) throws Exception {
		List<String> command = new ArrayList<>(List.of("git"));
		command.addAll(List.of(arguments));
		assertThat(new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start().waitFor())
			.as(String.join(" ", command))
			.isZero();
	}

}

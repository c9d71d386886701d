package io.distlock.databases;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The server of MySQL 8 that the build brings along, unpacked once per JVM, or the reason
 * why it does not run on this machine.
 */
final class MySqlBinary {

	private static final String ARCHIVE = "mysql-Linux-amd64.tar.gz";

	private static final String PLATFORM = "linux amd64";

	private static final String PACKAGES = "libaio1 (libaio1t64 on Debian 13 and Ubuntu 24.04) and libnuma1";

	/** Where Debian, Ubuntu, Fedora and SUSE keep libraries of amd64. */
	private static final List<Path> SYSTEM_LIBRARIES = Stream
		.of("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64")
		.map(Path::of)
		.toList();

	private final Path files;

	private final List<String> command;

	private final Optional<String> problem;

	private MySqlBinary(Path files, List<String> command, Optional<String> problem) {
		this.files = files;
		this.command = command;
		this.problem = problem;
	}

	/** Returns the binary for this machine. */
	static MySqlBinary get() {
		return Unpacked.BINARY;
	}

	/**
	 * Unpacks the binary and tries it.
	 * @param platform name and architecture of the operating system
	 * @param systemLibraries where the system keeps its libraries
	 */
	static MySqlBinary unpack(String platform, List<Path> systemLibraries) {
		if (!platform.toLowerCase(Locale.ROOT).equals(PLATFORM)) {
			return unusable("the build has it for Linux on amd64 only, not for " + platform);
		}
		try {
			Path files = ServerProcess.newDirectory("mysql-template");
			ServerProcess.deleteAfterThisJvm(files);
			extract(files);
			List<String> command = new ArrayList<>(environment(files, systemLibraries));
			command.add(files.resolve("bin/mysqld").toString());
			command.add("--no-defaults");
			List<String> version = new ArrayList<>(command);
			version.add("--version");
			ServerProcess.run(version);
			return new MySqlBinary(files, List.copyOf(command), Optional.empty());
		}
		catch (IOException | IllegalStateException | UncheckedIOException ex) {
			return unusable("install " + PACKAGES + ": " + String.valueOf(ex.getMessage()).strip());
		}
	}

	private static MySqlBinary unusable(String reason) {
		return new MySqlBinary(Path.of(""), List.of(), Optional.of("MySQL 8 does not run here; " + reason));
	}

	private static void extract(Path files) throws IOException {
		Path archive = files.resolve(ARCHIVE);
		try (InputStream packed = MySqlBinary.class.getResourceAsStream("/" + ARCHIVE)) {
			if (packed == null) {
				throw new IllegalStateException(ARCHIVE + " is not on the class path");
			}
			Files.copy(packed, archive);
		}
		ServerProcess.run(List.of("tar", "-xzf", archive.toString(), "-C", files.toString()));
		Files.delete(archive);
	}

	/**
	 * Debian 13 and Ubuntu 24.04 have renamed libaio.so.1, and on amd64 only renamed it.
	 */
	private static List<String> environment(Path files, List<Path> systemLibraries) throws IOException {
		Optional<Path> renamed = find(systemLibraries, "libaio.so.1t64");
		if (renamed.isEmpty() || find(systemLibraries, "libaio.so.1").isPresent()) {
			return List.of();
		}
		Path libraries = Files.createDirectory(files.resolve("system-libraries"));
		Files.createSymbolicLink(libraries.resolve("libaio.so.1"), renamed.get());
		String before = System.getenv().getOrDefault("LD_LIBRARY_PATH", "");
		return List.of("env", "LD_LIBRARY_PATH=" + (before.isEmpty() ? "" : before + ":") + libraries);
	}

	private static Optional<Path> find(List<Path> directories, String name) {
		return directories.stream().map((directory) -> directory.resolve(name)).filter(Files::exists).findFirst();
	}

	/** Returns why the binary does not run here, and what to do. */
	Optional<String> problem() {
		return this.problem;
	}

	/** Returns the directory that it was unpacked to; it is deleted after this JVM. */
	Path files() {
		return this.files;
	}

	/**
	 * Returns the command of the server, without options.
	 * @throws IllegalStateException if it does not run here
	 */
	List<String> command() {
		this.problem.ifPresent((reason) -> {
			throw new IllegalStateException(reason);
		});
		return this.command;
	}

	private static final class Unpacked {

		private static final MySqlBinary BINARY = unpack(
				System.getProperty("os.name") + " " + System.getProperty("os.arch"), SYSTEM_LIBRARIES);

	}

}

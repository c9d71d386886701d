package io.distlock.test.redis;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Finds a {@code redis-server}: on the PATH, else the one packed in embedded-redis. Links
 * are not resolved, because the server looks at the name with which it was started.
 */
final class RedisBinary {

	private static final String VERSION = "7.0.15";

	private static final Pattern MAJOR = Pattern.compile(" v=(\\d+)\\.");

	private static @Nullable Path extracted;

	private RedisBinary() {
	}

	static Path find() {
		Path installed = onPath(System.getenv("PATH"));
		return (installed != null) ? installed : packed();
	}

	static @Nullable Path onPath(@Nullable String path) {
		if (path == null) {
			return null;
		}
		for (String directory : path.split(File.pathSeparator)) {
			Path candidate = Path.of(directory, "redis-server");
			if (Files.isExecutable(candidate) && Files.isRegularFile(candidate)) {
				return candidate;
			}
		}
		return null;
	}

	/**
	 * Extracts the packed server once per JVM, into a directory that no other user can
	 * write to.
	 */
	static synchronized Path packed() {
		if (extracted == null || !Files.isExecutable(extracted)) {
			extracted = extract(resourceName(System.getProperty("os.name"), System.getProperty("os.arch")));
		}
		return extracted;
	}

	/** Returns the major version of Redis or Valkey. */
	static int majorVersion(Path binary) {
		try {
			Process process = new ProcessBuilder(binary.toString(), "--version").start();
			String version = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
			Matcher major = MAJOR.matcher(version);
			if (!major.find()) {
				throw new IllegalStateException(binary + " does not say its version: " + version);
			}
			return Integer.parseInt(major.group(1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot run " + binary, ex);
		}
	}

	static String resourceName(String osName, String osArch) {
		String os = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : osName.toLowerCase(Locale.ROOT);
		String arch = switch (osArch.toLowerCase(Locale.ROOT)) {
			case "amd64", "x86_64" -> "amd64";
			case "aarch64", "arm64" -> "arm64";
			case "x86", "i386", "i686" -> "386";
			default -> osArch;
		};
		return "redis-server-" + VERSION + "-" + os + "-" + arch;
	}

	private static Path extract(String resource) {
		ClassLoader loader = RedisBinary.class.getClassLoader();
		try (InputStream in = loader.getResourceAsStream(resource)) {
			if (in == null) {
				throw new IllegalStateException("No redis-server for this machine: none on the PATH, and no '"
						+ resource + "' on the class path. Install Redis or add org.signal:embedded-redis.");
			}
			Path directory = Files.createTempDirectory("redis-server-");
			Path file = directory.resolve("redis-server");
			Files.copy(in, file);
			if (!file.toFile().setExecutable(true)) {
				throw new IllegalStateException("Cannot make " + file + " executable: install Redis on the PATH");
			}
			directory.toFile().deleteOnExit();
			file.toFile().deleteOnExit();
			return file;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot extract " + resource + " to a temporary file", ex);
		}
	}

}

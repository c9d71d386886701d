package io.distlock.tutorial;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import org.apache.jmeter.engine.StandardJMeterEngine;
import org.apache.jmeter.functions.Property;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleListener;
import org.apache.jmeter.save.SaveService;
import org.apache.jmeter.testelement.AbstractTestElement;
import org.apache.jmeter.util.JMeterUtils;
import org.apache.jorphan.collections.HashTree;

/** A plan of JMeter, run in this JVM without its window. */
final class JMeterPlan {

	private final HashTree plan;

	private JMeterPlan(HashTree plan) {
		this.plan = plan;
	}

	/**
	 * Reads a plan.
	 * @param file the plan
	 * @param home a directory for the files that JMeter needs
	 * @param properties what {@code -J} sets on the command line
	 */
	static JMeterPlan read(Path file, Path home, Map<String, String> properties) throws IOException {
		unpackConfiguration(home);
		JMeterUtils.setJMeterHome(home.toString());
		JMeterUtils.loadJMeterProperties(home.resolve("bin/jmeter.properties").toString());
		JMeterUtils.initLocale();
		// Functions are looked for in jars, which the command line has in lib/ext.
		JMeterUtils.setProperty("search_paths", jarOf(Property.class).toString());
		properties.forEach(JMeterUtils::setProperty);
		SaveService.loadProperties();
		return new JMeterPlan(SaveService.loadTree(file.toFile()));
	}

	/** Runs the plan to its end and returns its samples. */
	List<Sample> run() {
		Samples.taken.clear();
		Samples samples = new Samples();
		this.plan.add(this.plan.getArray()[0], samples);
		StandardJMeterEngine engine = new StandardJMeterEngine();
		engine.configure(this.plan);
		engine.run();
		return List.copyOf(Samples.taken);
	}

	private static void unpackConfiguration(Path home) throws IOException {
		String marker = "bin/jmeter.properties";
		String jar = String.valueOf(JMeterPlan.class.getClassLoader().getResource(marker))
			.replaceFirst("^jar:file:", "")
			.replaceFirst("!.*", "");
		try (ZipFile files = new ZipFile(jar)) {
			files.stream()
				.filter((entry) -> entry.getName().startsWith("bin/") && !entry.isDirectory())
				.forEach((entry) -> unpack(files, entry, home));
		}
	}

	private static void unpack(ZipFile files, ZipEntry entry, Path home) {
		Path target = home.resolve(entry.getName()).normalize();
		if (!target.startsWith(home)) {
			throw new IllegalStateException(entry.getName() + " is outside of the home of JMeter");
		}
		try (InputStream in = files.getInputStream(entry)) {
			Files.createDirectories(target.getParent());
			Files.write(target, in.readAllBytes());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path jarOf(Class<?> type) {
		return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
	}

	/** An answer, as JMeter saw it. */
	record Sample(String label, String code, boolean successful, long millis) {
	}

	/** JMeter clones its elements for each thread, so all write to one place. */
	public static final class Samples extends AbstractTestElement implements SampleListener {

		private static final long serialVersionUID = 1L;

		private static final Queue<Sample> taken = new ConcurrentLinkedQueue<>();

		@Override
		public void sampleOccurred(SampleEvent event) {
			taken.add(new Sample(event.getResult().getSampleLabel(), event.getResult().getResponseCode(),
					event.getResult().isSuccessful(), event.getResult().getTime()));
		}

		@Override
		public void sampleStarted(SampleEvent event) {
			// Only ends count.
		}

		@Override
		public void sampleStopped(SampleEvent event) {
			// Only ends count.
		}

	}

}

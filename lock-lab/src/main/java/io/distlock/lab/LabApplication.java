package io.distlock.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.distlock.lab.demo.Demo;
import io.distlock.lab.fencing.FencingDemo;
import io.distlock.lab.fencing.FencingNode;
import io.distlock.lab.jvm.PlainLogging;
import io.distlock.lab.node.LabNode;
import io.distlock.lab.site.StaticSite;
import io.distlock.lab.web.Recorder;

import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The lab. Serves HTTP, or with {@code --demo} compares all strategies and ends. With
 * {@code --demo=fencing} it freezes a process that holds the lock. With {@code --site} it
 * writes its pages as plain files, and with {@code --record} the runs that they show.
 */
@SpringBootApplication
public class LabApplication {

	/**
	 * Starts the lab, or one of its nodes.
	 * @param args {@code --demo}, {@code --demo=fencing}, {@code --site=<folder>},
	 * {@code --record=<folder>} or any Spring property
	 * @throws IOException if the pages cannot be written
	 */
	public static void main(String[] args) throws IOException {
		DefaultApplicationArguments arguments = new DefaultApplicationArguments(args);
		List<String> demo = arguments.getOptionValues("demo");
		List<String> site = arguments.getOptionValues("site");
		List<String> record = arguments.getOptionValues("record");
		List<String> node = arguments.getOptionValues("lab.node");
		List<String> director = arguments.getOptionValues("lab.director");
		if (node != null && director != null) {
			LabNode.run(Integer.parseInt(director.get(0)), Integer.parseInt(node.get(0)));
		}
		else if (site != null) {
			StaticSite.write(Path.of(site.get(0)));
		}
		else if (record != null) {
			System.exit(new Recorder(Path.of(record.get(0)), System.out).run(LabApplication.class));
		}
		else if (demo == null) {
			SpringApplication.run(LabApplication.class, args);
		}
		else if (demo.contains("fencing-node")) {
			FencingNode.run(args);
		}
		else if (demo.contains("fencing")) {
			System.exit(new FencingDemo(LabApplication.class, System.out).run());
		}
		else {
			PlainLogging.errorsOnly();
			System.exit(new Demo(LabApplication.class, System.out).run(args));
		}
	}

}

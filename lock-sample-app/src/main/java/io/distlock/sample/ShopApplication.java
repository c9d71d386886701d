package io.distlock.sample;

import java.util.List;
import java.util.Map;

import io.distlock.sample.demo.Demo;
import io.distlock.sample.fencing.FencingDemo;
import io.distlock.sample.fencing.FencingNode;
import io.distlock.sample.jvm.PlainLogging;
import io.distlock.sample.lab.node.LabNode;

import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The shop. Serves HTTP, or with {@code --demo} compares all strategies of the lab and
 * ends. With {@code --demo=fencing} it freezes a process that holds the lock.
 */
@SpringBootApplication
public class ShopApplication {

	/**
	 * Starts the shop.
	 * @param args {@code --demo}, {@code --demo=fencing} or any Spring property
	 */
	public static void main(String[] args) {
		DefaultApplicationArguments arguments = new DefaultApplicationArguments(args);
		List<String> demo = arguments.getOptionValues("demo");
		List<String> labNode = arguments.getOptionValues("shop.lab-node");
		List<String> director = arguments.getOptionValues("shop.director");
		if (labNode != null && director != null) {
			LabNode.run(Integer.parseInt(director.get(0)), Integer.parseInt(labNode.get(0)));
		}
		else if (demo == null) {
			SpringApplication shop = new SpringApplication(ShopApplication.class);
			shop.setDefaultProperties(Map.of("shop.nodes", "2"));
			shop.run(args);
		}
		else if (demo.contains("fencing-node")) {
			new FencingNode(ShopApplication.class).run(args);
		}
		else if (demo.contains("fencing")) {
			System.exit(new FencingDemo(ShopApplication.class, System.out).run(args));
		}
		else {
			PlainLogging.errorsOnly();
			System.exit(new Demo(ShopApplication.class, System.out).run(args));
		}
	}

}

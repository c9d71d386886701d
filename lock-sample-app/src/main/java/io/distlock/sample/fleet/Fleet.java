package io.distlock.sample.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import io.distlock.sample.database.DatabaseServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.util.ClassUtils;

/**
 * The nodes of the shop, started together with this process, which they never outlive.
 * They share this process' Redis and database unless others are configured.
 */
@Component
@EnableConfigurationProperties(FleetProperties.class)
public class Fleet implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(Fleet.class);

	/** What this process decides for its nodes, whatever it was started with. */
	private static final Set<String> OWN = Set.of("server.port", "server.address", "shop.nodes", "shop.node",
			"shop.weights", "spring.datasource.url", "spring.datasource.username", "spring.datasource.password");

	private static final String IN_MEMORY = "jdbc:h2:mem:";

	private final FleetProperties properties;

	private final ApplicationContext context;

	private final AtomicInteger turn = new AtomicInteger();

	private volatile List<FleetNode> nodes = List.of();

	private volatile List<FleetNode> turns = List.of();

	Fleet(FleetProperties properties, ApplicationContext context) {
		this.properties = properties;
		this.context = context;
	}

	@Override
	public void start() {
		if (this.properties.nodes() == 0) {
			return;
		}
		Object application = this.context.getBeansWithAnnotation(SpringBootApplication.class)
			.values()
			.iterator()
			.next();
		List<FleetNode> started = new ArrayList<>();
		List<FleetNode> order = new ArrayList<>();
		Map<String, String> settings = settings(this.context.getEnvironment());
		for (int i = 1; i <= this.properties.nodes(); i++) {
			String name = "node-" + i;
			List<String> args = arguments(name);
			FleetNode node = new FleetNode(ClassUtils.getUserClass(application), name, args, settings);
			started.add(node);
			int weight = this.properties.weights().isEmpty() ? 1 : this.properties.weights().get(i - 1);
			for (int j = 0; j < weight; j++) {
				order.add(node);
			}
		}
		this.nodes = List.copyOf(started);
		this.turns = List.copyOf(order);
	}

	private List<String> arguments(String name) {
		List<String> args = new ArrayList<>();
		for (String arg : this.context.getBean(ApplicationArguments.class).getSourceArgs()) {
			if (!OWN.contains(arg.replaceFirst("^--", "").replaceFirst("=.*", ""))) {
				args.add(arg);
			}
		}
		args.add("--shop.node=" + name);
		args.add("--shop.nodes=0");
		args.add("--server.port=0");
		args.add("--server.address=127.0.0.1");
		args.add("--spring.main.banner-mode=off");
		args.add("--logging.level.root=warn");
		return args;
	}

	/** As variables, because others can read the arguments of a process. */
	private static Map<String, String> settings(Environment environment) {
		Map<String, String> settings = new TreeMap<>();
		String url = environment.getRequiredProperty("spring.datasource.url");
		boolean ours = url.startsWith(IN_MEMORY);
		settings.put("SPRING_DATASOURCE_URL",
				ours ? DatabaseServer.serve(url.substring(IN_MEMORY.length()).replaceFirst(";.*", "")) : url);
		settings.put("SPRING_DATASOURCE_USERNAME",
				ours ? DatabaseServer.USER : environment.getProperty("spring.datasource.username", ""));
		put(settings, environment, "SPRING_DATASOURCE_PASSWORD", "spring.datasource.password");
		put(settings, environment, "SPRING_DATA_REDIS_HOST", "spring.data.redis.host");
		put(settings, environment, "SPRING_DATA_REDIS_PORT", "spring.data.redis.port");
		put(settings, environment, "DISTRIBUTEDLOCK_ZOOKEEPER_CONNECTSTRING",
				"distributed-lock.zookeeper.connect-string");
		return settings;
	}

	private static void put(Map<String, String> settings, Environment environment, String variable, String name) {
		String value = environment.getProperty(name);
		if (value != null) {
			settings.put(variable, value);
		}
	}

	/** Announces a node, and the page when all nodes serve. */
	@EventListener
	void ready(ApplicationReadyEvent event) {
		String port = this.context.getEnvironment().getProperty("local.server.port");
		if (port == null || event.getApplicationContext() != this.context) {
			return;
		}
		if (this.properties.node() != null) {
			System.out.println(FleetNode.SERVES + port);
			return;
		}
		Thread thread = new Thread(() -> announce(port), "opening of the shop");
		thread.setDaemon(true);
		thread.start();
	}

	private void announce(String port) {
		List<FleetNode> all = this.nodes;
		while (all.stream().anyMatch((node) -> !node.isUp() && !node.isGone())) {
			LockSupport.parkNanos(50_000_000);
		}
		all.stream()
			.filter(FleetNode::isGone)
			.forEach((node) -> logger.error("{} ended before it served; its output is above", node.name()));
		logger.info("The shop is open: http://localhost:{}/ and the lab: http://localhost:{}/lab.html; nodes: {}", port,
				port, all.isEmpty() ? "this process" : names(all));
	}

	private static String names(List<FleetNode> nodes) {
		return nodes.stream()
			.filter(FleetNode::isUp)
			.map((node) -> node.name() + " on port " + node.port())
			.collect(Collectors.joining(", "));
	}

	/**
	 * Says whether other processes serve the shop.
	 * @return whether this process is only the balancer
	 */
	public boolean isPresent() {
		return !this.turns.isEmpty();
	}

	/**
	 * Lists the nodes.
	 * @return what they do
	 */
	public List<NodeView> views() {
		return this.nodes.stream().map(FleetNode::view).toList();
	}

	/** Returns the nodes that serve, the one whose turn it is first. */
	List<FleetNode> next() {
		List<FleetNode> order = this.turns;
		int first = Math.floorMod(this.turn.getAndIncrement(), order.size());
		List<FleetNode> candidates = new ArrayList<>();
		for (int i = 0; i < order.size(); i++) {
			FleetNode node = order.get((first + i) % order.size());
			if (node.isUp() && !candidates.contains(node)) {
				candidates.add(node);
			}
		}
		return candidates;
	}

	@Override
	public void stop() {
		this.nodes.forEach(FleetNode::stop);
		this.turns = List.of();
		this.nodes = List.of();
	}

	@Override
	public boolean isRunning() {
		return !this.nodes.isEmpty();
	}

}

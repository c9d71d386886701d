package io.distlock.autoconfigure.actuate;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** A key is one text over JMX, whatever is in it. */
@Tag("ci")
class LocksOverJmxTests {

	private static final List<String> ODD = List.of("a,b", "a/b", "a", "b", " blank ", "blank", "x;y", "a , b");

	private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

	@Test
	void releaseWhenTheKeyIsOddThenReleasesThatLockAndNoOther() throws Exception {
		try (ConfigurableApplicationContext context = start()) {
			Map<String, LockHandle> handles = new LinkedHashMap<>();
			for (String key : ODD) {
				handles.put(key,
						context.getBean(LockTemplate.class)
							.acquireAsync(LockRequest.of(key))
							.toCompletableFuture()
							.join());
			}
			assertThatException().isThrownBy(() -> call("release", Map.of("reason", "test")));
			assertThatException().isThrownBy(() -> call("release", Map.of("reason", "test", "key", " ")));
			for (String key : ODD) {
				LockHandle handle = handles.remove(key);
				assertThat(call("lock", Map.of("key", key)).toString()).as(key)
					.contains(String.valueOf(handle.fencingToken()));
				call("release", Map.of("reason", "test", "key", key));
				Awaitility.await(key).until(() -> !handle.isHeld());
				assertThat(handles)
					.allSatisfy((other, left) -> assertThat(left.isHeld()).as("%s after %s", other, key).isTrue());
			}
		}
	}

	private Object call(String operation, Map<String, String> values) throws Exception {
		ObjectName name = this.beans.queryNames(new ObjectName("locks-over-jmx:type=Endpoint,name=Locks,*"), null)
			.iterator()
			.next();
		MBeanOperationInfo found = Arrays.stream(this.beans.getMBeanInfo(name).getOperations())
			.filter((each) -> each.getName().equals(operation))
			.findFirst()
			.orElseThrow();
		MBeanParameterInfo[] parameters = found.getSignature();
		return this.beans.invoke(name, operation,
				Arrays.stream(parameters).map((parameter) -> values.get(parameter.getName())).toArray(),
				Arrays.stream(parameters).map(MBeanParameterInfo::getType).toArray(String[]::new));
	}

	private static ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.properties("spring.config.name=nothing", "spring.main.banner-mode=off", "spring.jmx.enabled=true",
					"management.endpoints.jmx.domain=locks-over-jmx", "management.endpoints.jmx.exposure.include=locks",
					"management.endpoint.locks.access=unrestricted", "distributed-lock.store=memory")
			.run();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

}

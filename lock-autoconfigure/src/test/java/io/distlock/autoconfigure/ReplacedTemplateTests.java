package io.distlock.autoconfigure;

import java.lang.reflect.Proxy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.junit.jupiter.SpringExtension;

import io.distlock.LockTemplate;
import io.distlock.stores.LockTemplates;

import static org.assertj.core.api.Assertions.assertThat;

/** A test that puts a mock in the place of the template, as {@code @MockitoBean} does. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = { "distributed-lock.store=memory", "management.endpoints.jmx.exposure.include=*",
				"spring.config.name=nothing" })
@ExtendWith(SpringExtension.class)
class ReplacedTemplateTests {

	@TestBean
	private LockTemplate template;

	@Autowired
	private LockTemplates templates;

	static LockTemplate template() {
		return (LockTemplate) Proxy.newProxyInstance(ReplacedTemplateTests.class.getClassLoader(),
				new Class<?>[] { LockTemplate.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "toString" -> "a mock";
					case "hashCode" -> 1;
					case "equals" -> proxy == arguments[0];
					case "isLocked" -> true;
					default -> null;
				});
	}

	@Test
	void applicationStartsAndUsesTheMock() {
		assertThat(this.template.isLocked("any")).isTrue();
		assertThat(this.templates.of(LockTemplates.DEFAULT).isLocked("any")).isTrue();
		assertThat(this.templates.places()).containsOnlyKeys(LockTemplates.DEFAULT);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}

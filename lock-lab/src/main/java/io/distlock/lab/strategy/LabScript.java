package io.distlock.lab.strategy;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DefaultRedisScript;

/** A script of the lab, which knows the name of its file. */
final class LabScript<T> extends DefaultRedisScript<T> {

	private final String name;

	LabScript(String name, Class<T> result) {
		this.name = name;
		setLocation(new ClassPathResource("lab/" + name, LabScript.class.getClassLoader()));
		setResultType(result);
	}

	String name() {
		return this.name;
	}

}

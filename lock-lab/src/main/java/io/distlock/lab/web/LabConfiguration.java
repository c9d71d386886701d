package io.distlock.lab.web;

import io.distlock.lab.run.Lab;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

@Configuration(proxyBeanMethods = false)
class LabConfiguration {

	/** Its nodes are started with the class that started this process. */
	@Bean
	Lab lab(ApplicationContext context) {
		Object application = context.getBeansWithAnnotation(SpringBootApplication.class).values().iterator().next();
		return new Lab(ClassUtils.getUserClass(application));
	}

}

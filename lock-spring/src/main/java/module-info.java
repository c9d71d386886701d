/**
 * Implements the lock annotation in Spring, without Spring Boot.
 */
@SuppressWarnings({ "module", "requires-automatic", "requires-transitive-automatic" })
module io.distlock.spring {

	requires transitive io.distlock.core;
	requires transitive spring.context;
	requires java.desktop;
	requires org.slf4j;
	requires spring.aop;
	requires spring.beans;
	requires spring.core;
	requires spring.expression;
	requires static context.propagation;
	requires static jakarta.persistence;
	requires static java.sql;
	requires static net.javacrumbs.shedlock.core;
	requires static org.hibernate.orm.core;
	requires static org.jspecify;
	requires static org.reactivestreams;
	requires static reactor.core;
	requires static spring.integration.core;
	requires static spring.jdbc;
	requires static spring.orm;
	requires static spring.tx;

	exports io.distlock.spring;
	exports io.distlock.spring.event;
	exports io.distlock.spring.fencing;
	exports io.distlock.spring.integration;
	exports io.distlock.spring.reactive;
	exports io.distlock.spring.shedlock;

	exports io.distlock.spring.definition to spring.expression;
	exports io.distlock.spring.intercept to io.distlock.aspectj, io.distlock.autoconfigure;
	exports io.distlock.spring.startup to io.distlock.autoconfigure;

	// Spring creates the beans of these packages.
	opens io.distlock.spring to spring.beans, spring.core;
	opens io.distlock.spring.startup to spring.beans, spring.context, spring.core;

}

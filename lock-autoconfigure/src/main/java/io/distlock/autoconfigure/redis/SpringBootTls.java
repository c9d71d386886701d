package io.distlock.autoconfigure.redis;

import java.lang.reflect.Method;
import java.util.Arrays;

import javax.net.ssl.SSLParameters;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.StringUtils;

import io.distlock.redis.JedisConnections;

/**
 * Finds the SSL bundle with which Spring Boot secures the connections of its factory.
 * Another factory may trust another authority.
 */
final class SpringBootTls {

	private SpringBootTls() {
	}

	/**
	 * Returns how the connections of a factory are secured.
	 * @param factory the connection factory
	 * @param beans has the bundles, and the definition of the factory
	 * @param environment names the bundle
	 * @return {@code null} if Spring Boot did not make the factory, or the factory has no
	 * bundle
	 */
	static JedisConnections.@Nullable Tls of(RedisConnectionFactory factory, ListableBeanFactory beans,
			Environment environment) {
		String name = environment.getProperty("spring.data.redis.ssl.bundle");
		if (!StringUtils.hasLength(name) || !isOfSpringBoot(factory, beans)) {
			return null;
		}
		SslBundles bundles = beans.getBeanProvider(SslBundles.class).getIfAvailable();
		if (bundles == null) {
			return null;
		}
		SslBundle bundle = bundles.getBundle(name);
		SslOptions options = bundle.getOptions();
		return new JedisConnections.Tls(bundle.createSslContext().getSocketFactory(),
				new SSLParameters(options.getCiphers(), options.getEnabledProtocols()));
	}

	private static boolean isOfSpringBoot(RedisConnectionFactory factory, ListableBeanFactory beans) {
		return Arrays.stream(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, RedisConnectionFactory.class))
			.filter((name) -> isMadeBySpringBoot(beans, name))
			.anyMatch((name) -> beans.getBean(name) == factory);
	}

	private static boolean isMadeBySpringBoot(ListableBeanFactory beans, String name) {
		try {
			if (!(beans instanceof ConfigurableBeanFactory known)
					|| !(known.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition)) {
				return false;
			}
			Method method = definition.getResolvedFactoryMethod();
			return method != null && method.getDeclaringClass().getName().startsWith("org.springframework.boot.");
		}
		catch (NoSuchBeanDefinitionException ex) {
			// The factory was registered without a definition.
			return false;
		}
	}

}

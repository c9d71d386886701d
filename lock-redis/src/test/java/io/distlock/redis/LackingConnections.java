package io.distlock.redis;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

import org.springframework.beans.BeanUtils;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Connections of a client on which one method fails, whichever interface declares it.
 *
 * @param real the connections of a client that has the method
 * @param lacking the name of the method
 * @param failure what the method throws
 */
record LackingConnections(RedisConnectionFactory real, String lacking, Class<? extends Throwable> failure) {

	RedisConnectionFactory factory() {
		return wrapped(RedisConnectionFactory.class, this.real);
	}

	private <T> T wrapped(Class<T> type, T target) {
		return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> call(target, method, arguments)));
	}

	private Object call(Object target, Method method, Object[] arguments) throws Throwable {
		if (method.getName().equals(this.lacking)) {
			throw BeanUtils.instantiateClass(this.failure);
		}
		Object result;
		try {
			result = method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
		return isPartOfConnection(method.getReturnType()) ? wrappedPart(method.getReturnType(), result) : result;
	}

	private static boolean isPartOfConnection(Class<?> type) {
		return type == RedisConnection.class || type.getSimpleName().matches("Redis\\w+Commands");
	}

	private <T> T wrappedPart(Class<T> type, Object part) {
		return wrapped(type, type.cast(part));
	}

}

package io.distlock.spring.intercept;

import org.hibernate.Session;

import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Finds entities that a thread has read before it takes a lock, as with Spring Boot's
 * {@code spring.jpa.open-in-view}. A method under the lock gets their old state, because
 * Hibernate returns an entity that it already has.
 */
final class EarlyEntities {

	private static final boolean HIBERNATE = isPresent("org.springframework.orm.jpa.EntityManagerHolder")
			&& isPresent("org.hibernate.Session");

	private EarlyEntities() {
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, EarlyEntities.class.getClassLoader());
	}

	/** Returns whether this thread has entities, but no transaction. */
	static boolean exist() {
		return HIBERNATE && !OuterTransaction.isOpen() && Hibernate.hasEntities();
	}

	/** Needs Hibernate and Spring's support for it on the class path. */
	private static final class Hibernate {

		static boolean hasEntities() {
			return TransactionSynchronizationManager.getResourceMap()
				.values()
				.stream()
				.anyMatch((resource) -> resource instanceof EntityManagerHolder holder
						&& holder.getEntityManager().getDelegate() instanceof Session session && session.isOpen()
						&& session.getStatistics().getEntityCount() > 0);
		}

	}

}

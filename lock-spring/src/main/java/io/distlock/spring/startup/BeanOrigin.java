package io.distlock.spring.startup;

/** Where an object comes from, which tells why it may have no proxy. */
enum BeanOrigin {

	/** The bean factory made it. */
	MADE("the bean has no proxy, so the method would run without the lock",
			"Leave spring.aop.auto on; if the bean is needed by a BeanPostProcessor it is created too early "
					+ "to be proxied: move the method to another bean"),

	/** Code made it and gave it to the bean factory. */
	REGISTERED(
			"the object was registered as a finished singleton, which gets no proxy, so the method would run "
					+ "without the lock",
			"Register a bean definition instead, for instance with registerBean(Type.class, () -> object)"),

	/** A child of the context with the locks made it. */
	CHILD("the bean is in a child context that creates no proxies for locks, so the method would run without the lock",
			"Configure the locks in the child context too, with the auto-configuration or @EnableDistributedLocks, or move "
					+ "the bean to the parent context");

	private final String reason;

	private final String fix;

	BeanOrigin(String reason, String fix) {
		this.reason = reason;
		this.fix = fix;
	}

	String withoutProxy() {
		return this.reason;
	}

	String fix() {
		return this.fix;
	}

}

package io.distlock.spring;

/**
 * An annotated method of a bean.
 *
 * @param bean name of the bean
 * @param type class of the bean, not of its proxy
 * @param attributes what the annotation says
 * @param method the method, resolved
 */
record LockedPlace(String bean, Class<?> type, LockAttributes attributes, LockedMethod method) {

	String name() {
		return this.method.name();
	}

	LockSite site() {
		return this.method.site();
	}

	/** The annotation as one writes it. */
	String annotation() {
		return "@" + this.attributes.annotation().getSimpleName();
	}

	InvalidLockDefinitionException invalid(String reason, String fix) {
		return site().invalid(reason, fix).inBean(this.bean);
	}

}

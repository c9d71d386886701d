package io.distlock.aspectj;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** For an aspect of the application's own. */
@Retention(RetentionPolicy.RUNTIME)
@interface Counted {

}

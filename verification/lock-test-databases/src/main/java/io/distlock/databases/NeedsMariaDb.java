package io.distlock.databases;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The tests start a {@link MariaDbServer}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@NeedsServer(commands = { "mariadbd", "mariadb-install-db", "my_print_defaults" },
		debianPackages = "mariadb-server-core mariadb-client-core")
public @interface NeedsMariaDb {

}

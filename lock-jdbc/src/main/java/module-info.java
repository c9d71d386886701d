/**
 * The store in a relational database.
 */
module io.distlock.jdbc {

	requires transitive io.distlock.records;
	requires transitive java.sql;
	requires org.slf4j;
	requires static com.zaxxer.hikari;
	requires static org.jspecify;
	requires static org.postgresql.jdbc;

	exports io.distlock.jdbc;

}

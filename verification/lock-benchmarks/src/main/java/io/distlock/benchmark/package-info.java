/**
 * Speed of the lock side by side with others, measured in one run. <pre>
 * mvn -q -pl :lock-benchmarks -am -DskipTests package
 * java -jar verification/lock-benchmarks/target/benchmarks.jar A
 * java -jar verification/lock-benchmarks/target/benchmarks.jar report
 * </pre> See {@code README.md} of this module for what the scenarios are.
 */
@NullMarked
package io.distlock.benchmark;

import org.jspecify.annotations.NullMarked;

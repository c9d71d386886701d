/** Leader elections between processes that are killed and stopped. */
package io.distlock.reliability.leader;

/** Locks in databases: faults of real servers, and what is sent to them. */
package io.distlock.reliability.database;

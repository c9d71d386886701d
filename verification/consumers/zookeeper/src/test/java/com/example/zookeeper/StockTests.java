package com.example.zookeeper;

import com.example.AbstractStockTests;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The starter for ZooKeeper. */
class StockTests extends AbstractStockTests {

	private static TestingServer server;

	@DynamicPropertySource
	static void zooKeeper(DynamicPropertyRegistry properties) throws Exception {
		server = new TestingServer();
		properties.add("distributed-lock.zookeeper.connect-string", server::getConnectString);
	}

	@AfterAll
	static void stop() throws Exception {
		server.close();
	}

}

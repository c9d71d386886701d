package com.example.template;

import io.distlock.LockTemplate;
import org.junit.jupiter.api.Nested;

import org.springframework.boot.test.mock.mockito.MockBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Doubles as with Spring Boot 3. */
class MockBeanTests {

	@Nested
	@MockBean(RedisConnectionFactory.class)
	class ConnectionsTests extends AbstractDoublesTests.OfConnections {

	}

	@Nested
	@MockBean(LockTemplate.class)
	class LocksTests extends AbstractDoublesTests.OfTheLocks {

	}

	@Nested
	@MockBean(InvoiceService.class)
	class ServiceTests extends AbstractDoublesTests.OfTheService {

	}

}

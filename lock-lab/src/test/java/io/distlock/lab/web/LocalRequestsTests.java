package io.distlock.lab.web;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.BufferedReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class LocalRequestsTests {

	@LocalServerPort
	private int port;

	@ParameterizedTest
	@CsvSource({ "POST, /api/runs", "GET, /api/runs", "GET, /", "GET, /index.html" })
	void requestWhenAnotherHostIsNamedThenRefused(String method, String path) throws IOException {
		assertThat(status(method, path, "shop.example:" + this.port)).isEqualTo(403);
		assertThat(status(method, path, "localhost.shop.example")).isEqualTo(403);
		assertThat(status(method, path, "192.168.0.1")).isEqualTo(403);
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:8000", "[::1]:8080" })
	void requestWhenThisMachineIsNamedThenAnswered(String host) throws IOException {
		assertThat(status("GET", "/api/limits", host)).isEqualTo(200);
	}

	/** An address of the loopback interface that the lab does not listen on. */
	@Test
	void connectionWhenToAnotherAddressThenRefused() {
		assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> connect("127.0.0.2").close());
	}

	/** The client of the JDK does not let a caller choose the host. */
	private int status(String method, String path, String host) throws IOException {
		try (Socket socket = connect("127.0.0.1")) {
			socket.getOutputStream()
				.write("%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
					.formatted(method, path, host)
					.getBytes(StandardCharsets.US_ASCII));
			String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
				.readLine();
			return Integer.parseInt(line.split(" ")[1]);
		}
	}

	private Socket connect(String address) throws IOException {
		return new Socket(InetAddress.getByName(address), this.port);
	}

}

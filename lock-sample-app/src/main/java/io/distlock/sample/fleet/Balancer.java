package io.distlock.sample.fleet;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Passes requests for the shop on to its nodes, in turn. A node that refuses the
 * connection is left out; a request that may have been read is not sent again, because it
 * may have sold something.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class Balancer extends OncePerRequestFilter {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	/** What a client of ours sets itself, and what concerns one connection only. */
	private static final Set<String> LEFT_OUT = Set.of("connection", "content-length", "transfer-encoding", "host",
			"date", "keep-alive");

	private final Fleet fleet;

	/** Made with the first request, since it has threads. */
	private final Supplier<HttpClient> client = SingletonSupplier.of(() -> HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(2))
		.build());

	Balancer(Fleet fleet) {
		this.fleet = fleet;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		String path = request.getRequestURI();
		return !this.fleet.isPresent() || !(path.startsWith("/stock/") || path.startsWith("/vouchers/"));
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		for (FleetNode node : this.fleet.next()) {
			try {
				pass(this.client.get().send(request(request, node), HttpResponse.BodyHandlers.ofByteArray()), response);
				return;
			}
			catch (ConnectException ex) {
				// It has not seen the request: the next one may.
			}
			catch (IOException ex) {
				refuse(response, HttpStatus.BAD_GATEWAY,
						node.name() + " did not answer: whether it has done it is not known.");
				return;
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				refuse(response, HttpStatus.SERVICE_UNAVAILABLE, "The shop closes.");
				return;
			}
		}
		response.setHeader("Retry-After", "1");
		refuse(response, HttpStatus.SERVICE_UNAVAILABLE, "No node of the shop serves.");
	}

	/** The text has no characters that JSON would escape. */
	private static void refuse(HttpServletResponse response, HttpStatus status, String text) throws IOException {
		response.setStatus(status.value());
		response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
		response.getOutputStream()
			.write("{\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}"
				.formatted(status.getReasonPhrase(), status.value(), text)
				.getBytes(StandardCharsets.UTF_8));
	}

	private static HttpRequest request(HttpServletRequest request, FleetNode node) throws IOException {
		String query = (request.getQueryString() != null) ? "?" + request.getQueryString() : "";
		HttpRequest.Builder copy = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + node.port() + request.getRequestURI() + query))
			.timeout(PATIENCE)
			.method(request.getMethod(),
					HttpRequest.BodyPublishers.ofByteArray(request.getInputStream().readNBytes(1 << 16)));
		String accept = request.getHeader("Accept");
		if (accept != null) {
			copy.header("Accept", accept);
		}
		return copy.build();
	}

	private static void pass(HttpResponse<byte[]> answer, HttpServletResponse response) throws IOException {
		response.setStatus(answer.statusCode());
		answer.headers().map().forEach((name, values) -> {
			if (!LEFT_OUT.contains(name.toLowerCase(Locale.ROOT)) && !name.startsWith(":")) {
				values.forEach((value) -> response.addHeader(name, value));
			}
		});
		response.getOutputStream().write(answer.body());
	}

}

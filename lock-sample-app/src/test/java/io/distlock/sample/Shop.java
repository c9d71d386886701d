package io.distlock.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Calls the shop as its customers do, at one or more of its nodes in turn. */
public final class Shop {

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final int[] ports;

	public Shop(int... ports) {
		this.ports = ports;
	}

	public HttpResponse<String> get(String path) {
		return send(0, path, "GET").join();
	}

	public HttpResponse<String> post(String path) {
		return send(0, path, "POST").join();
	}

	public HttpResponse<String> put(String path) {
		return send(0, path, "PUT").join();
	}

	/** All at the same time. */
	public List<HttpResponse<String>> post(String path, int times) {
		List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, times)
			.mapToObj((i) -> send(i, path, "POST"))
			.toList();
		return answers.stream().map(CompletableFuture::join).toList();
	}

	private CompletableFuture<HttpResponse<String>> send(int number, String path, String method) {
		URI uri = URI.create("http://localhost:" + this.ports[number % this.ports.length] + path);
		HttpRequest request = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build();
		return this.client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
	}

}

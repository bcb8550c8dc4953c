import { describe, expect, it } from "vitest";
import { createTestHost, serve, TOKEN } from "../../support/host.js";
import { exchange, responsesIn } from "../../support/raw-http.js";

const HOST = "Host: 127.0.0.1\r\n";
const START = `POST /v1/models HTTP/1.1\r\n${HOST}Authorization: Bearer ${TOKEN}\r\n`;
/** Request that an attacker hides in the body of another one. */
const HIDDEN = `GET /v1/models HTTP/1.1\r\n${HOST}Authorization: Bearer ${TOKEN}\r\n\r\n`;

const SMUGGLED: readonly (readonly [string, string])[] = [
  [
    "Content-Length and Transfer-Encoding",
    `${START}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ],
  [
    "Transfer-Encoding and Content-Length",
    `${START}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ],
  ["two Content-Lengths", `${START}Content-Length: 0\r\nContent-Length: 9\r\n\r\n${HIDDEN}`],
  ["equal Content-Lengths", `${START}Content-Length: 0\r\nContent-Length: 0\r\n\r\n${HIDDEN}`],
  ["a list of Content-Lengths", `${START}Content-Length: 0, 0\r\n\r\n${HIDDEN}`],
  ["a Content-Length with a sign", `${START}Content-Length: +0\r\n\r\n${HIDDEN}`],
  ["an unknown Transfer-Encoding", `${START}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  [
    "two Transfer-Encodings",
    `${START}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ],
  ["a chunk that ends in LF", `${START}Transfer-Encoding: chunked\r\n\r\n0\n\n${HIDDEN}`],
  [
    "a chunk extension with LF",
    `${START}Transfer-Encoding: chunked\r\n\r\n5;a=b\nX\r\nabcde\r\n0\r\n\r\n${HIDDEN}`,
  ],
  ["lines that end in LF", `GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n${HIDDEN}`],
  ["one header that ends in LF", `GET /healthz HTTP/1.1\r\n${HOST}X-A: b\nX-C: d\r\n\r\n${HIDDEN}`],
  ["a CR inside a header", `GET /healthz HTTP/1.1\r\n${HOST}X-A: b\rX-C: d\r\n\r\n${HIDDEN}`],
  ["a folded header", `GET /healthz HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n${HIDDEN}`],
  ["a space before a colon", `GET /healthz HTTP/1.1\r\n${HOST}X-A : b\r\n\r\n${HIDDEN}`],
  ["NUL in a header", `GET /healthz HTTP/1.1\r\n${HOST}X-A: b\0c\r\n\r\n${HIDDEN}`],
  ["a space in the path", `GET /healthz /v1 HTTP/1.1\r\n${HOST}\r\n${HIDDEN}`],
  ["no version", `GET /healthz\r\n${HOST}\r\n${HIDDEN}`],
  ["the start of HTTP/2", `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${HIDDEN}`],
  ["the start of TLS", `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${HIDDEN}`],
];

describe("request smuggling", () => {
  it.each(SMUGGLED)("[GW-042] rejects %s and closes the connection", async (_, bytes) => {
    const server = await serve(await createTestHost());
    const responses = responsesIn(await exchange(server.port, bytes, false));
    expect(responses).toMatchObject([
      {
        status: 400,
        headers: {
          connection: "close",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "cache-control": "no-store",
          "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      },
    ]);
    expect(JSON.parse(responses[0]?.body ?? "")).toMatchObject({
      error: { code: "INVALID_REQUEST", reason: "HTTP_INVALID" },
    });
  });

  it("[GW-042] serves two requests on one connection, each with its own ID", async () => {
    const server = await serve(await createTestHost());
    const health = `GET /healthz HTTP/1.1\r\n${HOST}`;
    const bytes = `${health}\r\n${health}Connection: close\r\n\r\n`;
    const responses = responsesIn(await exchange(server.port, bytes));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(responses.map(({ headers }) => headers["x-request-id"])).size).toBe(2);
  });
});

describe("header of a request", () => {
  it.each([
    ["a header", `GET /healthz HTTP/1.1\r\n${HOST}X-A: ${"a".repeat(17_000)}\r\n\r\n`],
    ["a path", `GET /${"a".repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`],
    [
      "many headers",
      `GET /healthz HTTP/1.1\r\n${HOST}${Array.from({ length: 3000 }, (_, n) => `A${n}: b\r\n`).join("")}\r\n`,
    ],
  ])("[GW-042] is rejected with 431 when %s exceeds 16 KiB", async (_, bytes) => {
    const server = await serve(await createTestHost());
    const [response] = responsesIn(await exchange(server.port, bytes, false));
    expect(response).toMatchObject({ status: 431, headers: { connection: "close" } });
    expect(response?.body).toContain("PAYLOAD_TOO_LARGE");
  });

  it("[GW-042] is rejected with two hosts", async () => {
    const server = await serve(await createTestHost());
    const bytes = `GET /healthz HTTP/1.1\r\n${HOST}Host: evil.example\r\nConnection: close\r\n\r\n`;
    const [response] = responsesIn(await exchange(server.port, bytes));
    expect(response).toMatchObject({ status: 400 });
  });
});

describe("path of a request", () => {
  const ambiguous = [
    "/v1/../v1/models",
    "/v1/./models",
    "/v1/models/..",
    "/v1/%2e%2e/v1/models",
    "/v1/%2E/models",
    "/v1/%2e%2e%2fv1/models",
    "/v1/..%2fmodels",
    "/v1/%2fmodels",
    "/v1%5cmodels",
    "/v1\\models",
    "//v1/models",
    "/v1//models",
    "//evil.example/v1/models",
    "/v1/%252e%252e/models",
    "/v1/%25252e/models",
    "/v1/models%00",
    "/v1/models%0d%0aX-Injected:%201",
    "/v1/%zz",
    "/v1/%",
    "http://127.0.0.1/v1/models",
    "http://evil.example/v1/models",
    "*",
  ];

  it("[GW-042] is rejected when it is ambiguous: traversal, double encoding, header injection", async () => {
    const server = await serve(await createTestHost());
    for (const path of ambiguous) {
      const bytes = `GET ${path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`;
      const responses = responsesIn(await exchange(server.port, bytes));
      expect([path, responses.map(({ status }) => status)]).toEqual([path, [400]]);
      expect(responses[0]?.headers).not.toHaveProperty("x-injected");
    }
  });

  it("may have encoded characters that are not ambiguous, and any query", async () => {
    const server = await serve(await createTestHost());
    const { headers } = server;
    for (const path of ["/v1/%6dodels", "/v1/models?path=../..%2f%252e", "/v1/models?a=//b"]) {
      expect((await fetch(server.url + path, { headers })).status, path).toBe(200);
    }
  });
});

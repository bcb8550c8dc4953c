import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { boundedFetch, ProviderReplyTooLargeError } from "../../src/provider-entry.js";

/** A server whose reply consists of chunks, without end where the last one is repeated. */
async function serverOf(chunks: readonly string[], endless = false) {
  let closed = false;
  const server = createServer((_request, response) => {
    response.on("close", () => {
      closed = true;
    });
    response.writeHead(200, { "content-type": "text/event-stream", "x-kept": "yes" });
    for (const chunk of chunks) response.write(chunk);
    const more = () => {
      while (!closed && response.write(chunks.at(-1) ?? "x"));
    };
    if (!endless) return response.end();
    response.on("drain", more);
    return more();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { url: `http://127.0.0.1:${address.port}/`, isClosed: () => closed };
}

it("passes on a reply within the limits, with its status and headers", async () => {
  const { url } = await serverOf(["12345678\n", "1234", "5678\n12345678"]);
  const response = await boundedFetch({ lineBytes: 8, replyBytes: 26 })(url);
  expect(response.status).toBe(200);
  expect(response.headers.get("x-kept")).toBe("yes");
  expect(await response.text()).toBe("12345678\n12345678\n12345678");
});

it.each([
  ["line", ["123456789"], { lineBytes: 8 }, 8],
  ["line", ["a\n1234", "56789"], { lineBytes: 8 }, 8],
  ["line", ["123456789\nb\n"], { lineBytes: 8 }, 8],
  ["reply", ["a\nb\n", "c\nd\ne"], { replyBytes: 8 }, 8],
] as const)("fails a %s that is too long: %j", async (part, chunks, limits, limit) => {
  const { url } = await serverOf(chunks);
  const error = await (await boundedFetch(limits)(url)).text().catch((thrown: unknown) => thrown);
  expect(ProviderReplyTooLargeError.isInstance(error)).toBe(true);
  expect(error).toMatchObject({ code: "PROVIDER_REPLY_TOO_LARGE", part, limit });
});

it.each([
  ["line", "x".repeat(65_536)],
  ["reply", `${"x".repeat(65_535)}\n`],
])("disconnects from a server whose %s never ends", async (part, chunk) => {
  const { url, isClosed } = await serverOf([chunk], true);
  const limits = part === "line" ? {} : { replyBytes: 1_000_000 };
  const error = await (await boundedFetch(limits)(url)).text().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "PROVIDER_REPLY_TOO_LARGE", part });
  await expect.poll(isClosed).toBe(true);
});

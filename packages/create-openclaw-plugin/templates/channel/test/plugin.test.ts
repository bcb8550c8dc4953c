import { startTestServer } from "@openclaw/platform-fakes";
import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it, vi } from "vitest";

const plugin = new URL("..", import.meta.url);

it("answers a message of the server once", async () => {
  const messages = [{ id: 1, user: "alice", text: "hello" }];
  await using server = await startTestServer(({ method, path }) => {
    const after = Number(new URL(path, "http://server").searchParams.get("after"));
    const found = method === "GET" ? messages.filter(({ id }) => id > after) : {};
    return { body: JSON.stringify(found) };
  });
  const config = { channels: { "{{id}}": { server: server.origin, dmPolicy: "open" } } };
  await using host = await createTestHost({ plugin, config, model: [{ text: "Hello, Alice." }] });
  const sent = () => server.requests.filter(({ method }) => method === "POST");
  await vi.waitFor(() => expect(sent()).toHaveLength(1), 5000);
  expect(sent()[0]?.body).toMatchObject({ to: "alice", text: "Hello, Alice." });
  expect(host.modelRequests).toHaveLength(1);
});

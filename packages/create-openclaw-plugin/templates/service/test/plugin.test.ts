import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it } from "vitest";

const plugin = new URL("..", import.meta.url);

it("logs the number of received messages when it stops, and leaks nothing", async () => {
  const host = await createTestHost({ plugin });
  expect(host.plugin.serviceIds).toEqual(["{{id}}"]);
  await host.turn("hello");
  await host.turn("hello again");
  await host.dispose();
  expect(host.logs.map(({ message }) => message)).toContain("2 messages came in");
});

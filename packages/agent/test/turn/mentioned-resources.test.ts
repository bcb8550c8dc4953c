import { expect, it, vi } from "vitest";
import { plugin, turnHost } from "../support/turn-host.js";

it("[EXT-365] reads resources for messages of owners only, and for none that a job wrote", async () => {
  const read = vi.fn(() => "The gate is red.");
  const acme = plugin("acme", (api) => {
    api.registerResource({ uri: "acme://a", name: "A", read });
  });
  const done = { text: "done" };
  const host = await turnHost({ script: [done, done, done], plugins: [acme] });
  const text = "see @acme:acme://a";
  await host.run({ text, origin: { ...host.request().origin, senderIsOwner: false } });
  await host.run({ text, trigger: "job" });
  expect(read).not.toHaveBeenCalled();
  await host.run({ text });
  expect(read).toHaveBeenCalledOnce();
  expect(JSON.stringify(host.requests.at(-1)?.prompt)).toContain("The gate is red.");
});

it("[EXT-365] [TURN-031] asks the hooks of tool calls, and reads nothing that needs approval", async () => {
  const read = vi.fn(() => "The gate is red.");
  const acme = plugin("acme", (api) => {
    api.registerResource({ uri: "acme://a", name: "A", read });
  });
  const called: unknown[] = [];
  const guard = plugin("guard", (api) => {
    api.on("before_tool_call", ({ toolName, params }) => {
      called.push([toolName, params]);
      if (called.length === 1) return { block: true, blockReason: "gates are private" };
      return { requireApproval: { title: "Read?", description: "It may be private." } };
    });
  });
  const done = { text: "done" };
  const host = await turnHost({ script: [done, done], plugins: [acme, guard] });
  const text = "see @acme:acme://a";
  await host.run({ text });
  expect(JSON.stringify(host.requests.at(-1)?.prompt)).toContain("gates are private");
  await host.run({ text });
  expect(JSON.stringify(host.requests.at(-1)?.prompt)).toMatch(
    /could not be read: .*needs approval/,
  );
  expect(called).toEqual(Array(2).fill(["acme__read_resource", { uri: "acme://a" }]));
  expect(read).not.toHaveBeenCalled();
});

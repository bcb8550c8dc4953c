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

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createFileHost } from "../support/file-host.js";

const PORT = `{
  databases: ["notes"],
  async *exportData() {},
  async importData() {},
}`;

/** Creates a folder of bundled plugins with one plugin. */
function bundledPlugin(id: string): string {
  const folder = mkdtempSync(join(tmpdir(), "bundled-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, id));
  writeFileSync(
    join(folder, id, "openclaw.plugin.json"),
    JSON.stringify({ id, entry: "index.mjs" }),
  );
  writeFileSync(
    join(folder, id, "index.mjs"),
    `export default { id: "${id}", data: ${PORT}, register() {} };`,
  );
  return join(folder, id);
}

it("[SDK-640] returns the data ports of plugins without registering them, and says why a plugin has none", async () => {
  let registered = 0;
  const register = () => {
    registered += 1;
  };
  const bundled = bundledPlugin("off");
  const { runtime } = createFileHost(
    [
      { id: "good", register, code: `export const data = ${PORT};` },
      { id: "none", register },
      { id: "wrong", register, code: "export const data = { databases: 'notes' };" },
      { id: "broken", register, code: "throw new Error('no such key');" },
      { id: "disabled", register, code: `export const data = ${PORT};` },
    ],
    { entries: { disabled: { enabled: false }, off: { enabled: false } } },
    { bundled: [bundled] },
  );
  const ids = ["good", "none", "wrong", "broken", "disabled", "missing", "off"];
  const ports = await runtime.dataPorts(ids);
  expect(registered).toBe(0);
  expect(ports.get("good")).toMatchObject({ port: { databases: ["notes"] } });
  // It keeps its data while it is disabled, and it is part of the host.
  expect(ports.get("off")).toMatchObject({ port: { databases: ["notes"] } });
  const reasons = ids.map((id) => [id, ports.get(id)]);
  expect(Object.fromEntries(reasons)).toMatchObject({
    none: { reason: "it has no data port" },
    wrong: { reason: expect.stringMatching(/its `data` is not a data port: expected databases/) },
    broken: { reason: expect.stringMatching(/it cannot be loaded: .*no such key/) },
    disabled: {
      reason: expect.stringMatching(/not enabled .*plugins\.entries\.disabled\.enabled: true/),
    },
    missing: { reason: "it is not installed" },
  });
  await runtime.dispose();
});

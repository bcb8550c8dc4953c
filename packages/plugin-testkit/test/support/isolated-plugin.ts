import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PluginManifest } from "@openclaw/plugin-sdk/manifest";
import { onTestFinished } from "vitest";
import { createTestHost, type TestHost } from "../../src/index.js";

/**
 * Writes a plugin.
 * @param body - body of its `register`
 * @returns its folder
 */
export function pluginOf(body: string, manifest: Partial<PluginManifest> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "isolated-plugin-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { id = "guest", ...rest } = manifest;
  writeFileSync(
    join(folder, "openclaw.plugin.json"),
    JSON.stringify({ id, entry: "index.mjs", permissions: { tools: ["*"] }, ...rest }),
  );
  writeFileSync(
    join(folder, "index.mjs"),
    `import { text } from "@openclaw/plugin-sdk/tool-results";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
const tool = (name, execute, more = {}) => ({
  name, description: name, parameters: { type: "object", properties: {} }, execute, ...more,
});
export default { id: ${JSON.stringify(id)}, register(api) { ${body} } };`,
  );
  return folder;
}

/** A plugin of a manifest and the body of its `register`, loaded by a separate host. */
export async function hostOf(
  body: string,
  manifest: Partial<PluginManifest> = {},
  prepare: (folder: string) => void = () => undefined,
): Promise<TestHost> {
  const folder = pluginOf(body, manifest);
  prepare(folder);
  const host = await createTestHost({ plugin: folder });
  onTestFinished(() => host.dispose());
  return host;
}

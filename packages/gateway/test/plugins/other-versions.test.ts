import { readdirSync } from "node:fs";
import { join } from "node:path";
import { startNpmRegistry } from "@openclaw/foundation/testing";
import { describe, expect, it, vi } from "vitest";
import { createPluginHost } from "../support/plugin-host.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const importing = (part: string) => ({
  files: { "index.mjs": `import "openclaw/plugin-sdk/${part}"; export function register() {}` },
});
const requiring = (pluginApi: string) => ({ manifest: { compat: { pluginApi } } });

/** Publishes versions in order, and returns the message of the refused install of one of them. */
async function refusalOf(
  versions: Readonly<
    Record<string, Parameters<Awaited<ReturnType<typeof startNpmRegistry>>["publish"]>[2]>
  >,
  specifier = "guard",
): Promise<string> {
  const registry = await startNpmRegistry();
  for (const [version, plugin] of Object.entries(versions)) {
    await registry.publish("guard", version, plugin);
  }
  const { methods, folder, state } = await createPluginHost();
  const parameters = { specifier, cwd: folder.path };
  const error = await methods.call("plugins.install", parameters).then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(readdirSync(join(state.dir, "staging"))).toEqual([]);
  expect(readdirSync(state.extensionsDir)).toEqual([]);
  return error?.message ?? "";
}

describe("a plugin from the registry that this host refuses", () => {
  it("[PLUG-088] is refused with the newest older version that fits", async () => {
    const message = await refusalOf({
      "1.0.0": requiring("^1.0.0"),
      "1.1.0": requiring("^1.0.0"),
      "1.1.1": { ...requiring("^1.0.0"), ...importing("nowhere") },
      "2.0.0": requiring("^99.0.0"),
    });
    expect(message).toMatch(/^plugin "guard" is not installed: it requires plugin API \^99\.0\.0/);
    expect(message).toMatch(
      /; version 1\.0\.0 fits this host: `openclaw plugins install guard@1\.0\.0`$/,
    );
  });

  it("[PLUG-088] is refused with a newer version that fits", async () => {
    const message = await refusalOf({ "1.0.0": requiring("^99.0.0"), "2.0.0": {} }, "guard@1.0.0");
    expect(message).toMatch(
      /; version 2\.0\.0 fits this host: `openclaw plugins install guard@2\.0\.0`$/,
    );
  });

  it("[PLUG-088] is refused with the versions that were checked when none fits", async () => {
    const message = await refusalOf({
      "1.0.0": requiring("^98.0.0"),
      "2.0.0": requiring("^99.0.0"),
    });
    expect(message).toMatch(
      /; no other version is known to fit \(checked: 1\.0\.0 of 2 published\)$/,
    );
    expect(await refusalOf({ "1.0.0": requiring("^99.0.0") })).toMatch(
      /; no other version is published$/,
    );
  });
});

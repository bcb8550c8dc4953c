import { join } from "node:path";
import { writePlugin } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { createPluginHost } from "../support/plugin-host.js";

async function hostWithMemories() {
  const host = await createPluginHost();
  const { folder, methods, plugins } = host;
  const install = (id: string) => {
    writePlugin(join(folder.path, id), { manifest: { id, kind: "memory" } });
    return methods.call("plugins.install", { specifier: id, cwd: folder.path });
  };
  const states = () => plugins.current.plugins.map(({ id, status }) => `${id} ${status}`);
  return { ...host, install, states };
}

describe("slots of plugins", () => {
  it("[PLUG-084] are offered to an installed plugin while they are free, and taken with plugins.enable", async () => {
    const { install, methods, states, configuration } = await hostWithMemories();
    expect(await install("notes")).toMatchObject({
      outcome: "unloaded",
      plugin: { id: "notes", status: "disabled", reason: "slot-taken" },
      freeSlot: "memory",
      diagnostics: expect.not.arrayContaining([expect.objectContaining({ level: "error" })]),
    });
    const enabled = await methods.call("plugins.enable", { id: "notes" });
    expect(enabled).toMatchObject({ outcome: "loaded", plugin: { status: "loaded" } });
    expect(enabled).not.toHaveProperty("freeSlot");
    expect(enabled).not.toHaveProperty("replaced");
    expect(configuration()).toMatch(/"memory": "notes"/);
    expect(states()).toEqual(["notes loaded"]);
  });

  it("[PLUG-084] are not offered while another plugin has them; enabling a plugin replaces the other one", async () => {
    const { install, methods, states } = await hostWithMemories();
    await install("notes");
    await methods.call("plugins.enable", { id: "notes" });
    expect(await install("vault")).not.toHaveProperty("freeSlot");
    const enabled = await methods.call("plugins.enable", { id: "vault" });
    expect(enabled).toMatchObject({ outcome: "loaded", replaced: ["notes"] });
    expect(states().sort()).toEqual(["notes disabled", "vault loaded"]);
  });

  it("become free when their plugin is uninstalled", async () => {
    const { install, methods, configuration, plugins } = await hostWithMemories();
    await install("notes");
    await methods.call("plugins.enable", { id: "notes" });
    await methods.call("plugins.uninstall", { id: "notes" });
    expect(configuration()).not.toContain("notes");
    expect(plugins.current.diagnostics).toEqual([]);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IsolatedLoader, probeSandbox } from "@openclaw/plugin-loader";
import { expect, it, onTestFinished } from "vitest";
import { createTestHost } from "../support/host.js";

function folderOf(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it.each([
  ["is not installed", ["/nowhere/bwrap"], "bubblewrap is not installed"],
  ["does not work", [process.execPath], "bubblewrap does not work here: "],
])(
  "[PLUG-541] [PLUG-045] runs a plugin without a sandbox where bubblewrap %s, and names the permissions that are not enforced",
  async (_case, programs, reason) => {
    const outside = join(folderOf("not-declared-"), "file");
    writeFileSync(outside, "content");
    const folder = folderOf("unconfined-plugin-");
    const permissions = { hooks: ["before_tool_call"] };
    const manifest = { id: "guest", entry: "index.mjs", isolation: "process", permissions };
    writeFileSync(join(folder, "openclaw.plugin.json"), JSON.stringify(manifest));
    writeFileSync(
      join(folder, "index.mjs"),
      `import { readFileSync } from "node:fs";
       export const register = (api) => void api.on("before_tool_call", () =>
         ({ block: true, blockReason: readFileSync(${JSON.stringify(outside)}, "utf8") }));`,
    );
    const { runtime } = createTestHost(
      [],
      { load: { paths: [folder] } },
      { loaders: [new IsolatedLoader([], () => probeSandbox(programs))] },
    );
    const { plugins, diagnostics } = await runtime.load();
    onTestFinished(() => runtime.dispose());
    expect(plugins).toMatchObject([
      { id: "guest", status: "loaded", isolation: { tier: "process", enforced: [] } },
    ]);
    expect(diagnostics.filter(({ pluginId }) => pluginId === "guest")).toMatchObject([
      {
        level: "warn",
        code: "isolation-unconfined",
        message: expect.stringMatching(
          new RegExp(
            `because (${reason}.*|a sandbox needs Linux); its permissions network\\.hosts, fs\\.read, fs\\.write are declared and not enforced$`,
          ),
        ),
        hint: "install bubblewrap, and restart the host",
      },
    ]);
    const result = await runtime.hooks.decide(
      "before_tool_call",
      { toolName: "exec", params: {} },
      { callDepth: 0 },
    );
    expect(result).toMatchObject({ block: true, blockReason: "content" });
  },
);

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

interface Counted {
  readonly found: number;
  readonly byDiscovery: { readonly opened: string[]; readonly modules: string[] };
  /** Below the test's folder. */
  readonly opened: readonly string[];
  readonly modules: readonly string[];
  /** Modules of the SDK, each time they ran. */
  readonly evaluated: readonly string[];
  readonly statuses: readonly [string, string][];
  readonly diagnostics: readonly PluginDiagnostic[];
  /** Text that the process wrote to standard error. */
  readonly stderr: string;
}

const RUNNER = join(import.meta.dirname, "../support/run-counted.mjs");
let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "counted-load-")));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, "state/extensions", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

async function load(): Promise<Counted> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [RUNNER, root], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return { ...JSON.parse(stdout), stderr };
}

describe("disabled plugin", () => {
  it("[PLUG-004] opens only its manifest and runs no code", async () => {
    const code = { "index.mjs": "process.exitCode = 1;", "part.mjs": "", "data.json": "{}" };
    const off = { id: "off", enabledByDefault: false, entry: "index.mjs", skills: ["skills"] };
    const package_ = { name: "b", openclaw: { ...off, id: "block", extensions: ["index.mjs"] } };
    for (const [folder, manifest] of [
      ["off/openclaw.plugin.json", JSON.stringify(off)],
      ["plain/manifest.json", JSON.stringify({ ...off, id: "plain" })],
      ["block/package.json", JSON.stringify(package_)],
    ] as const) {
      write({ [folder]: manifest });
      for (const [file, content] of Object.entries(code)) {
        write({ [join(dirname(folder), file)]: content });
      }
    }
    write({ "off/package.json": '{ "main": "index.mjs" }' });
    const { opened, byDiscovery, modules, statuses } = await load();
    expect(statuses).toEqual([
      ["block", "disabled"],
      ["off", "disabled"],
      ["plain", "disabled"],
    ]);
    const manifests = ["block/package.json", "off/openclaw.plugin.json", "plain/manifest.json"];
    const paths = manifests.map((path) => `state/extensions/${path}`);
    expect(byDiscovery).toEqual({ opened: paths, modules: [] });
    expect([...new Set(opened)]).toEqual(paths);
    expect(modules.filter((file) => file.startsWith(root))).toEqual([]);
  });

  it("[PLUG-059] [SCALE-038] adds no module to the graph, even a hundred of them, and listing imports none", async () => {
    const none = await load();
    for (let index = 0; index < 100; index += 1) {
      write({
        [`off-${index}/openclaw.plugin.json`]: `{ "id": "off-${index}", "enabledByDefault": false }`,
        [`off-${index}/index.mjs`]: "export const register = () => {};",
      });
    }
    const hundred = await load();
    expect(hundred.found).toBe(100);
    expect(hundred.byDiscovery.modules).toEqual([]);
    expect(hundred.modules).toEqual(none.modules);
    expect(hundred.byDiscovery.opened).toHaveLength(100);
    write({
      "on/openclaw.plugin.json": '{ "id": "on" }',
      "on/index.mjs": "export const register = () => {};",
    });
    const listed = await load();
    expect(listed.found).toBe(101);
    expect(listed.byDiscovery.modules).toEqual([]);
    expect(listed.modules.filter((file) => file.startsWith(root))).toEqual([
      join(root, "state/extensions/on/index.mjs"),
    ]);
  });
});

describe("package without a type", () => {
  it("[PLUG-121] is named in the diagnostics, and Node prints no warning about it", async () => {
    const warning = 'process.emitWarning("of the plugin", { code: "PLUGIN" });';
    write({
      "esm/openclaw.plugin.json": '{ "id": "esm" }',
      "esm/package.json": '{ "name": "esm" }',
      "esm/index.js": `import "./part.js"; ${warning} export const register = () => {};`,
      "esm/part.js": "export const part = 1;",
      "typed/openclaw.plugin.json": '{ "id": "typed" }',
      "typed/package.json": '{ "name": "typed", "type": "module" }',
      "typed/index.js": "export const register = () => {};",
    });
    const { statuses, diagnostics, stderr } = await load();
    expect(statuses).toEqual([
      ["esm", "loaded"],
      ["typed", "loaded"],
    ]);
    const named = diagnostics.filter(({ code }) => code === "module-type-missing");
    expect(named).toMatchObject([
      { level: "info", pluginId: "esm", hint: 'add "type": "module" to its package.json' },
    ]);
    expect(stderr).toContain("of the plugin");
    expect(stderr).not.toContain("MODULE_TYPELESS_PACKAGE_JSON");
  });
});

describe("fifty plugins", () => {
  it("[PLUG-018] evaluate the SDK exactly once, regardless of their language", async () => {
    const use = "export const register = (api) => api.on('agent_end', () => OpenClawError);";
    const forms = [
      { "index.mjs": `import { OpenClawError } from "openclaw/plugin-sdk"; ${use}` },
      { "index.mjs": `import { OpenClawError } from "@openclaw/plugin-sdk/errors"; ${use}` },
      {
        "index.cjs":
          'const { OpenClawError } = require("openclaw/plugin-sdk/errors"); exports.register = () => void OpenClawError;',
      },
      { "index.ts": `import { OpenClawError } from "@openclaw/plugin-sdk"; ${use}` },
      {
        "index.ts": `import { OpenClawError } from "openclaw/plugin-sdk"; enum Kind { One } void Kind; ${use}`,
      },
    ];
    for (let index = 0; index < 50; index += 1) {
      write({ [`p${index}/openclaw.plugin.json`]: `{ "id": "p${index}" }` });
      for (const [file, content] of Object.entries(forms[index % forms.length] ?? {})) {
        write({ [`p${index}/${file}`]: content });
      }
    }
    const { statuses, evaluated, diagnostics } = await load();
    expect(diagnostics.filter(({ level }) => level === "error")).toEqual([]);
    expect(statuses.filter(([, status]) => status === "loaded")).toHaveLength(50);
    expect(evaluated.filter((file) => file.endsWith("/errors.js"))).toHaveLength(1);
    expect(evaluated.filter((file) => file.endsWith("/index.js"))).toHaveLength(1);
    expect(new Set(evaluated).size).toBe(evaluated.length);
    expect(new Set(evaluated.map((file) => dirname(file))).size).toBe(1);
  });
});

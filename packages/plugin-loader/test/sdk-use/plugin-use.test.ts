import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { sdkPartsAt } from "../../src/index.js";

const TOOLS = "openclaw/plugin-sdk/tools";
const ENTRY = "openclaw/plugin-sdk/plugin-entry";

/** Returns the missing parts of a plugin, and the number of those that the host offers. */
async function partsOf(files: Readonly<Record<string, string>>, entry: string) {
  using folder = temporaryFolder();
  folder.write({
    "openclaw.plugin.json": JSON.stringify({ id: "guard", entry }),
    "package.json": '{ "type": "module" }',
    ...files,
  });
  const parts = await sdkPartsAt(folder.path);
  const missing = parts
    .filter(({ offered }) => !offered)
    .map(({ specifier, name = "*", place }) => `${specifier} ${name} ${place}`);
  return { missing, offered: parts.length - missing.length };
}

describe("parts of the SDK that a plugin imports", () => {
  it("[PLUG-088] are found in all its files, without those of dependencies and tests", async () => {
    const { missing, offered } = await partsOf(
      {
        "index.js": `import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
import "./lib/one.js";
export { two } from "./lib/two";`,
        "lib/one.js": `import { a } from "openclaw/plugin-sdk/nowhere";
import "left-pad";
export const one = async () => import("../late.cjs");`,
        "lib/two.js": "export const two = \"import x from 'openclaw/plugin-sdk/in-a-string'\";",
        "late.cjs":
          'const { b: c, definePluginEntry } = require("openclaw/plugin-sdk/plugin-entry");',
        "test.js": 'import "openclaw/plugin-sdk/only-in-tests";',
        "node_modules/left-pad/index.js": 'import "openclaw/plugin-sdk/of-a-dependency";',
      },
      "index.js",
    );
    expect(missing).toEqual([
      "openclaw/plugin-sdk/nowhere a lib/one.js:1",
      "openclaw/plugin-sdk/plugin-entry b late.cjs:1",
    ]);
    expect(offered).toBe(2);
  });

  it("[PLUG-152] are found in the modules that the entry of a channel plugin names", async () => {
    const { missing } = await partsOf(
      {
        "index.js": `import { defineBundledChannelEntry } from "openclaw/plugin-sdk/plugin-entry";
export default { plugin: { specifier: "./channel.js", exportName: "channel" } };`,
        "channel.js": 'import { a } from "openclaw/plugin-sdk/nowhere"; export const channel = a;',
      },
      "index.js",
    );
    expect(missing).toEqual([
      "openclaw/plugin-sdk/plugin-entry defineBundledChannelEntry index.js:1",
      "openclaw/plugin-sdk/nowhere a channel.js:1",
    ]);
  });

  it.each([
    ["import { nothing as x } from 'TOOLS'; x();", "nothing"],
    ["import * as tools from 'TOOLS'; tools.nothing();", "nothing"],
    ["export { nothing } from 'TOOLS';", "nothing"],
    ["const { nothing } = await import('TOOLS');", "nothing"],
  ])("are found in the form %s", async (form, name) => {
    const code = form.replace("TOOLS", TOOLS);
    const { missing } = await partsOf({ "index.mjs": code }, "index.mjs");
    expect(missing).toEqual([`openclaw/plugin-sdk/tools ${name} index.mjs:1`]);
  });

  it.each([
    ['const { nothing } = require("TOOLS");', "nothing"],
    ['var a=1,$e=__importStar(require("TOOLS"));$e.nothing();', "nothing"],
    ['const { a: { b } } = require("TOOLS");', "*"],
    ['const tools = host.require("TOOLS"); tools.nothing();', undefined],
    ['const tools = __require2("TOOLS"); tools.nothing();', "nothing"],
  ])("are found in the CommonJS form %s", async (form, name) => {
    const { missing, offered } = await partsOf(
      { "index.cjs": form.replace("TOOLS", TOOLS) },
      "index.cjs",
    );
    const expected = name === undefined || name === "*" ? [] : [`${TOOLS} ${name} index.cjs:1`];
    expect(missing).toEqual(expected);
    // The entry point itself.
    expect(offered).toBe(name === undefined ? 0 : 1);
  });

  it("do not include types, in TypeScript with and without the keyword", async () => {
    const code = `import type { A } from "openclaw/plugin-sdk/nowhere";
import { B, type C, defineTool } from "${TOOLS}";
enum Level { low }
export const tool = (given: B | C | A): unknown => defineTool(given as never);
export const gone = Level.low;`;
    const { missing, offered } = await partsOf({ "index.ts": code }, "index.ts");
    expect(missing).toEqual([]);
    expect(offered).toBe(2);
  });

  it("[PLUG-146] are found in another entry point, also of an entry point that is missing", async () => {
    using folder = temporaryFolder();
    folder.write({
      "guard.mjs": `import { defineTool, nothing } from "openclaw/plugin-sdk/guard";
import { defineTool as again } from "${ENTRY}";`,
    });
    const parts = await sdkPartsAt(join(folder.path, "guard.mjs"));
    const takenFrom = "openclaw/plugin-sdk";
    expect(parts).toMatchObject([
      { specifier: "openclaw/plugin-sdk/guard", name: "defineTool", offered: true, takenFrom },
      { specifier: "openclaw/plugin-sdk/guard", name: "nothing", offered: false },
      { specifier: "openclaw/plugin-sdk/plugin-entry", name: undefined, offered: true },
      { specifier: "openclaw/plugin-sdk/plugin-entry", name: "defineTool", takenFrom },
    ]);
  });

  it("are none for a plugin without a usable entry, and for a file that cannot be parsed", async () => {
    expect(await partsOf({}, "missing.js")).toEqual({ missing: [], offered: 0 });
    expect(await partsOf({ "index.js": "import { from (" }, "index.js")).toEqual({
      missing: [],
      offered: 0,
    });
  });

  it("are those of the file when a file is named", async () => {
    using folder = temporaryFolder();
    folder.write({ "guard.mjs": 'import "openclaw/plugin-sdk/nowhere";' });
    expect(await sdkPartsAt(join(folder.path, "guard.mjs"))).toMatchObject([
      { specifier: "openclaw/plugin-sdk/nowhere", place: "guard.mjs:1", offered: false },
    ]);
  });
});

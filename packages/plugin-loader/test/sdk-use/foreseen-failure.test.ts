import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { foreseeFailure } from "../../src/index.js";

/** Returns what is wrong with a plugin of these files, whose manifest names the entry. */
async function problemOf(files: Readonly<Record<string, string>>, entry = "index.js") {
  using folder = temporaryFolder();
  folder.write({
    "openclaw.plugin.json": JSON.stringify({ id: "guard", entry }),
    "package.json": '{ "type": "module" }',
    ...files,
  });
  const manifestPath = join(folder.path, "openclaw.plugin.json");
  const failure = await foreseeFailure({
    rootDir: folder.path,
    source: manifestPath,
    manifestPath,
  });
  return failure?.message.replaceAll(`${folder.path}/`, "");
}

describe("the failure of a load", () => {
  it.each<[problem: RegExp, files: Record<string, string>, entry?: string]>([
    [/its entry missing\.js does not exist/, {}, "missing.js"],
    [/^it has a syntax error at index\.js:2$/, { "index.js": "export default {};\nconst = 1;" }],
    [/^it has a syntax error at index\.ts:1$/, { "index.ts": "const a: string = ;" }, "index.ts"],
    [
      /^modules that it imports do not exist: "nowhere-at-all" \(index\.js:1\)$/,
      { "index.js": 'import "nowhere-at-all";\nexport default {};' },
    ],
    [
      /^modules that it imports do not exist: "\.\/gone\.js" \(lib\/one\.ts:2\), "@acme\/gone\/x" \(lib\/one\.ts:3\)$/,
      {
        "index.ts": 'import { one } from "./lib/one.ts";\nexport default one;',
        "lib/one.ts":
          'import { join } from "node:path";\nimport "./gone.js";\nexport { two } from "@acme/gone/x";\nexport const one = join("a");',
      },
      "index.ts",
    ],
  ])("[PLUG-124] is foreseen without running its code: %s", async (problem, files, entry) => {
    expect(await problemOf(files, entry)).toMatch(problem);
  });

  it("[PLUG-124] is not foreseen for imports that may be caught, types, dependencies and formats of older plugins", async () => {
    expect(
      await problemOf(
        {
          "index.ts": `import type { Gone } from "nowhere-at-all";
import { readFileSync } from "fs";
import { thing } from "thing";
import { two } from "./two";
import data from "./data.json" with { type: "json" };
enum Level { low }
const late = () => import("nowhere-at-all");
try { require("optional-thing"); } catch {}
export default { register: () => [late, readFileSync, thing, two, data, Level.low] as Gone };`,
          "two.js": 'throw new Error("it was run");',
          "data.json": "{}",
          "node_modules/thing/package.json": '{ "name": "thing", "main": "index.js" }',
          "node_modules/thing/index.js": "exports.thing = 1;",
        },
        "index.ts",
      ),
    ).toBeUndefined();
    expect(await problemOf({ "index.cjs": 'require("./gone.js");' }, "index.cjs")).toBeUndefined();
  });
});

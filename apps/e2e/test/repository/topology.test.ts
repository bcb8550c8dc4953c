import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { importsOf, workspacePackageOf } from "../../src/repository/imports.js";
import { LAYERS, layerOf, mayImport, UNRESTRICTED } from "../../src/repository/layers.js";
import { workspacePackages } from "../../src/repository/workspace-package.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const packages = workspacePackages(root);
const dirByName = new Map(packages.map(({ dir, manifest }) => [manifest.name, dir]));

/** Packages that extensions import in tests and benchmarks only. */
const FOR_TESTS = new Set(["packages/plugin-testkit", "packages/platform-fakes"]);

describe("import table", () => {
  it("names every package once", () => {
    const named = LAYERS.flatMap(({ imports }) => Object.keys(imports));
    expect(new Set(named).size).toBe(named.length);
    for (const { dir } of packages) {
      if (dir !== UNRESTRICTED) expect(layerOf(dir), `the layer of ${dir}`).toBeDefined();
    }
  });

  it("allows imports of the same layer or of lower layers only", () => {
    const height = new Map(
      LAYERS.flatMap(({ imports }, index) => Object.keys(imports).map((key) => [key, index])),
    );
    for (const { imports } of LAYERS) {
      for (const [key, allowed] of Object.entries(imports)) {
        const own = height.get(key) ?? -1;
        for (const entry of allowed) expect(height.get(entry), entry).toBeLessThanOrEqual(own);
      }
    }
  });
});

describe("imports between packages", () => {
  it("[SDK-032] let extensions import only the SDK, and the test kit in their tests", () => {
    for (const { dir } of packages.filter((one) => one.dir.startsWith("extensions/"))) {
      expect(filesOf(dir).length, dir).toBeGreaterThan(1);
    }
    const file = "extensions/openai/src/index.ts";
    expect(violation("extensions/openai", "@openclaw/gateway", file)).toContain("may not import");
    expect(violation("extensions/openai", "@openclaw/plugin-testkit", file)).toContain("in tests");
    expect(violation("extensions/openai", "@openclaw/plugin-sdk/hooks", file)).toBeUndefined();
  });

  it("keep the server from importing the client, and both from importing the gateway", () => {
    for (const [dir, imported] of [
      ["packages/server", "@openclaw/client"],
      ["packages/server", "@openclaw/gateway"],
      ["packages/client", "@openclaw/server"],
      ["packages/client", "@openclaw/gateway"],
    ] as const) {
      expect(violation(dir, imported, `${dir}/src/index.ts`)).toContain("may not import");
    }
  });

  it("follow the table in sources, tests and benchmarks", () => {
    const violations = packages.flatMap(({ dir }) =>
      filesOf(dir).flatMap((file) =>
        importsOf(readFileSync(join(root, file), "utf8")).flatMap(
          (specifier) => violation(dir, specifier, file) ?? [],
        ),
      ),
    );
    expect(violations).toEqual([]);
  });

  it("follow the table in the dependencies of every package.json", () => {
    const violations = packages.flatMap(({ dir, manifest }) =>
      (["dependencies", "devDependencies"] as const).flatMap((field) =>
        Object.keys(manifest[field] ?? {}).flatMap((name) => {
          const file = field === "devDependencies" ? `${dir}/test/` : `${dir}/src/`;
          return violation(dir, name, file) ?? [];
        }),
      ),
    );
    expect(violations).toEqual([]);
  });
});

function filesOf(dir: string): string[] {
  return globSync(`${dir}/{src,test,bench}/**/*.{ts,mjs}`, { cwd: root }).filter(
    (file) => !file.includes("/test/cases/"),
  );
}

/** Returns what an import violates, or undefined when the table allows it. */
function violation(dir: string, specifier: string, file: string): string | undefined {
  const name = workspacePackageOf(specifier);
  if (name === undefined) return undefined;
  const imported = dirByName.get(name) ?? name;
  if (!mayImport(dir, imported)) return `${file} may not import ${specifier}`;
  const isTestOnly = dir.startsWith("extensions/") && FOR_TESTS.has(imported);
  if (isTestOnly && !/^extensions\/[^/]+\/(?:test|bench)\//.test(file)) {
    return `${file} imports ${specifier}, which extensions may use in tests and benchmarks only`;
  }
  return undefined;
}

import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { comparePacked, type Spellings } from "../../src/sdk-spellings.js";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const LOADER = fileURLToPath(new URL("../../src/run-corpus.mjs", import.meta.url));
/** Folders with the modules for older plugins, and with what these forward. */
const SOURCES = ["packages/older-plugins/src", "apps/gateway/src/plugin-sdk"].map((name) =>
  join(ROOT, name),
);

/** The subpaths that a package offers. */
function subpathsOf(folder: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
  return Object.keys(exports).filter(
    (path) => !path.endsWith(".json") && !path.startsWith("./proposals/"),
  );
}

const stable = subpathsOf("packages/plugin-sdk").map((path) => path.slice(1));
const offered = subpathsOf("apps/gateway").map((path) => path.slice("./plugin-sdk".length));
const older = offered.filter((path) => !stable.includes(path));
let folder: string;
let packed: Spellings;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "sdk-spellings-")));
  packed = await comparePacked(folder);
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("both SDK spellings", () => {
  it("[SDK-002] give the same bindings in the packed packages, by import and by require", () => {
    for (const path of stable) expect(packed[path]?.different, path).toEqual([]);
    expect(packed["/errors"]?.count).toBeGreaterThan(5);
  });

  it("[SDK-002] give the same bindings to a plugin, by import and by require", async () => {
    const imports = stable.flatMap((path, index) => [
      `import * as stable${index} from "@openclaw/plugin-sdk${path}";`,
      `import * as older${index} from "openclaw/plugin-sdk${path}";`,
    ]);
    const said = await saidBy(
      `import { createRequire } from "node:module";
      ${imports.join("\n")}
      const require = createRequire(import.meta.url);
      const paths = ${JSON.stringify(stable)};
      const modules = [${stable.map((_, index) => `[stable${index}, older${index}]`).join(", ")}];
      export function register(api) {
        let count = 0;
        for (const [index, [stable, older]] of modules.entries()) {
          const required = ["@openclaw", "openclaw"].map((name) =>
            require(name + "/plugin-sdk" + paths[index]));
          for (const name of Object.keys(stable)) {
            const same = [older, ...required].every((module) => module[name] === stable[name]);
            if (!same) throw new Error(paths[index] + " " + name);
            count += 1;
          }
        }
        api.logger.info("same: " + count);
      }`,
    );
    expect(said).toEqual([expect.stringMatching(/^same: [1-9]\d+$/)]);
  }, 60_000);

  it("[SDK-002] are named re-exports of the SDK, which stays outside the bundle", () => {
    for (const path of stable) {
      const file = `${path === "" ? "/index" : path}`;
      const source = readFileSync(join(ROOT, `apps/gateway/src/plugin-sdk${file}.ts`), "utf8");
      const built = readFileSync(join(ROOT, `apps/gateway/dist/plugin-sdk${file}.js`), "utf8");
      expect(source).not.toMatch(/export \*|=/);
      expect(source).toContain(`from "@openclaw/plugin-sdk${path}"`);
      expect(built, file).toMatch(/from\s*"@openclaw\/plugin-sdk|^\/\/# sourceMappingURL|^$/m);
    }
  });
});

/** Entry points that older plugins import, and the values that they use. */
const OLDER_PARTS: Readonly<Record<string, readonly string[]>> = {
  "": [
    "definePluginEntry",
    "emptyPluginConfigSchema",
    "onDiagnosticEvent",
    "jsonResult",
    "defineToolPlugin",
    "defineChannelPluginEntry",
  ],
  "/plugin-entry": ["definePluginEntry", "emptyPluginConfigSchema"],
  "/core": ["definePluginEntry", "jsonResult", "defineChannelPluginEntry"],
  "/tool-plugin": ["defineToolPlugin"],
  "/channel-core": ["defineChannelPluginEntry"],
  "/hook-runtime": ["getGlobalHookRunner"],
  "/config-schema": [],
  "/channel-config-schema": [],
  "/param-readers": [],
  "/tool-results": ["jsonResult"],
  "/tool-payload": [],
  "/plugin-runtime": [],
  "/runtime-store": [],
  "/runtime-env": ["createSubsystemLogger"],
  "/infra-runtime": [],
  "/logging-core": ["registerLogTransport"],
  "/secret-input": ["isSecretRef", "normalizeSecretInputString"],
  "/secret-ref-runtime": ["coerceSecretRef", "resolveSecretRefValues"],
  "/error-runtime": [],
  "/state-paths": [],
  "/temp-path": [],
  "/account-id": [],
  "/string-coerce-runtime": [],
  "/diagnostic-runtime": ["onDiagnosticEvent"],
  "/approval-runtime": [],
  "/diagnostic-flags": ["isDiagnosticFlagEnabled"],
  "/extension-shared": ["buildTimeoutAbortSignal", "createDeferred"],
  "/gateway-runtime": ["callGatewayFromCli", "errorShape"],
  "/lazy-runtime": ["createLazyRuntimeModule"],
  "/provider-http": ["assertOkOrThrowProviderError", "readProviderJsonResponse"],
  "/provider-web-search": ["wrapWebContent", "withTrustedWebToolsEndpoint"],
  "/provider-web-search-config-contract": ["createWebSearchProviderContractFields"],
  "/provider-web-search-contract": ["createWebSearchProviderContractFields"],
  "/ssrf-runtime": ["fetchWithSsrFGuard", "isBlockedHostnameOrIp"],
  "/expect-runtime": ["expectDefined"],
  "/llm-task": ["normalizeThinkLevel", "resolvePreferredOpenClawTmpDir"],
  "/plugin-config-runtime": ["resolveLivePluginConfigObject", "resolvePluginConfigObject"],
  "/testing": [],
};

describe("SDK parts imported by older plugins", () => {
  it("[PLUG-054] are complete for a plugin, with their known values", async () => {
    const said = await saidBy(
      `const parts = ${JSON.stringify(OLDER_PARTS)};
      export async function register(api) {
        for (const [path, names] of Object.entries(parts)) {
          const module = await import("openclaw/plugin-sdk" + path);
          const missing = names.filter((name) => typeof module[name] !== "function");
          if (missing.length > 0 || Object.keys(module).length === 0) {
            throw new Error(path + " lacks " + missing);
          }
          api.logger.info(path);
        }
      }`,
    );
    expect(said).toEqual(Object.keys(OLDER_PARTS));
  }, 60_000);

  it("remain at the root below openclaw, deprecated when the SDK has them in a part only", () => {
    const source = readFileSync(join(ROOT, "packages/plugin-sdk/src/index.ts"), "utf8");
    const atRoot = exportedNames(source);
    const there = readFileSync(join(ROOT, "apps/gateway/dist/plugin-sdk/index.d.ts"), "utf8");
    const parts = stable.filter((path) => path !== "");
    for (const part of parts) {
      const from = readFileSync(join(ROOT, `packages/plugin-sdk/src${part}.ts`), "utf8");
      for (const name of exportedNames(from)) {
        const deprecated = new RegExp(String.raw`@deprecated [^*]*\*/\s*${name},?\s`);
        expect(exportedNames(there), `${part} ${name}`).toContain(name);
        expect(deprecated.test(there), name).toBe(!atRoot.includes(name));
      }
    }
  });

  it("[SDK-003] exist below openclaw/plugin-sdk only", () => {
    expect(older.length).toBeGreaterThan(10);
    const own = readFileSync(join(ROOT, "packages/plugin-sdk/package.json"), "utf8");
    for (const path of older) {
      expect(own).not.toContain(`"./${path.slice(1)}"`);
      expect(sourceOf(path.slice(1))).not.toBe("");
    }
  });

  it("[SDK-003] forward to the SDK everything it has under the same name", () => {
    for (const path of older) expect(packed[path]?.different, path).toEqual([]);
    expect(packed["/core"]?.count).toBeGreaterThan(3);
  });

  it.each(older.map((path) => path.slice(1)))(
    "[SDK-003] are deprecated in their types, name by name: %s",
    (name) => {
      const names = deprecations(name);
      expect(names.size).toBeGreaterThan(0);
      for (const [exported, isDeprecated] of names) expect(isDeprecated, exported).toBe(true);
    },
  );
});

/** Returns the log lines of a plugin with one module while it registers. */
async function saidBy(code: string): Promise<string[]> {
  const plugin = join(folder, "state/extensions/speaker");
  mkdirSync(plugin, { recursive: true });
  writeFileSync(join(plugin, "openclaw.plugin.json"), '{ "id": "speaker" }');
  writeFileSync(join(plugin, "index.mjs"), code);
  const corpus = { plugins: {}, paths: [], calls: [], decisions: [] };
  writeFileSync(join(folder, "corpus.json"), JSON.stringify(corpus));
  const { stdout } = await promisify(execFile)(process.execPath, [LOADER, folder]);
  const { records, logs, diagnostics } = JSON.parse(stdout);
  expect(records, JSON.stringify(diagnostics)).toMatchObject([{ status: "loaded" }]);
  return logs.map(({ message }: { message: string }) => message);
}

/** Names that a module exports by lists. */
function exportedNames(source: string): string[] {
  const lists = source
    .replaceAll(/\/\*\*.*?\*\//gs, "")
    .matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [...lists].flatMap(([, list = ""]) =>
    list.split(",").flatMap((item) => /(\w+)\s*$/.exec(item)?.[1] ?? []),
  );
}

const COMMENT = String.raw`/\*\*(?:(?!\*/)[\s\S])*\*/\s*`;
const DECLARATION = new RegExp(
  String.raw`^(${COMMENT})?export (?:async )?(?:const|function|class) (\w+)`,
  "gm",
);
const LIST = /^export \{([^}]*)\} from "([^"]+)"/gm;
const ITEM = new RegExp(String.raw`(${COMMENT})?(type )?(\w+)\s*(?:,|$)`, "g");

/** Source of a module for older plugins. */
function sourceOf(name: string): string {
  for (const folder of SOURCES) {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const file = files.find((path) => `/${path}`.endsWith(`/${name}.ts`));
    if (file !== undefined) return readFileSync(join(folder, file), "utf8");
  }
  throw new Error(`${name} has no source in ${SOURCES.join(", ")}`);
}

/** The values that a module for older plugins exports, and whether their types say deprecated. */
function deprecations(name: string): Map<string, boolean> {
  const source = sourceOf(name);
  const found = new Map<string, boolean>();
  for (const [, comment = "", exported = ""] of source.matchAll(DECLARATION)) {
    found.set(exported, comment.includes("@deprecated"));
  }
  for (const [, list = "", from = ""] of source.matchAll(LIST)) {
    const sibling = /([\w-]+)\.js$/.exec(from)?.[1];
    const there = sibling === undefined ? undefined : deprecations(sibling);
    for (const [, comment = "", type, exported = ""] of list.matchAll(ITEM)) {
      if (type !== undefined) continue;
      found.set(exported, comment.includes("@deprecated") || there?.get(exported) === true);
    }
  }
  return found;
}

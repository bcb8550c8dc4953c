import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it, vi } from "vitest";
import * as loader from "../src/index.js";

type ErrorClass = Pick<typeof OpenClawError, "code" | "isInstance" | "prototype">;

const CLASSES: ReadonlyMap<string, ErrorClass> = new Map(
  Object.entries<ErrorClass>({
    PluginLoadError: loader.PluginLoadError,
    SdkSubpathError: loader.SdkSubpathError,
    SdkPartMissingError: loader.SdkPartMissingError,
    PluginPollutionError: loader.PluginPollutionError,
  }),
);

const problem = {
  pluginId: "guard",
  problem: "import-failed",
  message: "it has no code",
  hint: "write some",
  file: "/plugins/guard/index.mjs",
} as const;

/** Every error of the package: its class, one of it, its code and its data. */
const ERRORS: [string, (from: typeof loader) => OpenClawError, string, object][] = [
  [
    "PluginLoadError",
    (from) => new from.PluginLoadError(problem),
    "PLUGIN_LOAD_FAILED",
    { pluginId: "guard", problem: "import-failed", hint: "write some", file: problem.file },
  ],
  [
    "SdkSubpathError",
    (from) =>
      new from.SdkSubpathError("openclaw/plugin-sdk/cor", "/a.ts", "openclaw/plugin-sdk/core"),
    "PLUGIN_SDK_SUBPATH_UNKNOWN",
    { specifier: "openclaw/plugin-sdk/cor", importer: "/a.ts" },
  ],
  [
    "SdkPartMissingError",
    (from) =>
      new from.SdkPartMissingError({
        pluginId: "guard",
        specifier: "openclaw/plugin-sdk",
        name: "jsonResults",
        importer: "index.ts",
        nearest: "jsonResult",
      }),
    "PLUGIN_SDK_PART_MISSING",
    { pluginId: "guard", exportName: "jsonResults", importer: "index.ts" },
  ],
  [
    "PluginPollutionError",
    (from) => new from.PluginPollutionError("guard", ["Object.prototype.x was added"]),
    "PLUGIN_BUILT_INS_CHANGED",
    { pluginId: "guard", changes: ["Object.prototype.x was added"] },
  ],
];

describe("loader errors", () => {
  it.each(ERRORS)(
    "[SDK-017] include %s with a stable code and data, recognised across copies",
    async (name, make, code, data) => {
      const own = CLASSES.get(name) ?? OpenClawError;
      const error = make(loader);
      expect(error).toMatchObject({ name, code, ...data });
      vi.resetModules();
      const theirs = make(await import("../src/index.js"));
      expect(theirs).not.toBeInstanceOf(own);
      for (const found of [error, theirs]) {
        expect(own.isInstance(found)).toBe(true);
        expect(OpenClawError.isInstance(found)).toBe(true);
        for (const [other] of ERRORS.filter(([each]) => each !== name)) {
          expect(CLASSES.get(other)?.isInstance(found), other).toBe(false);
        }
      }
      for (const other of [new Error("plain"), { code }, null, undefined, code]) {
        expect(own.isInstance(other)).toBe(false);
      }
    },
  );

  it("[SDK-017] have one class and one code per failure", () => {
    const exported = Object.keys(loader).filter((name) => name.endsWith("Error"));
    expect(exported.toSorted()).toEqual([...CLASSES.keys()].toSorted());
    expect([...CLASSES.keys()].toSorted()).toEqual(ERRORS.map(([name]) => name).toSorted());
    expect(new Set(ERRORS.map(([, , code]) => code)).size).toBe(ERRORS.length);
  });
});

import {
  type ErrorClass,
  type ErrorSample,
  expectOneCodeEach,
  expectRecognised,
} from "@openclaw/foundation/testing";
import { describe, it } from "vitest";
import * as loader from "../src/index.js";

const CLASSES: ReadonlyMap<string, ErrorClass> = new Map(
  Object.entries<ErrorClass>({
    PluginLoadError: loader.PluginLoadError,
    SdkSubpathError: loader.SdkSubpathError,
    SdkPartMissingError: loader.SdkPartMissingError,
    PluginPollutionError: loader.PluginPollutionError,
    PluginIsolationError: loader.PluginIsolationError,
    PluginStoppedError: loader.PluginStoppedError,
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
const ERRORS: ErrorSample<typeof loader>[] = [
  [
    "PluginLoadError",
    (from) => new from.PluginLoadError(problem),
    "PLUGIN_LOAD_FAILED",
    { pluginId: "guard", problem: "import-failed", hint: "write some", file: problem.file },
  ],
  [
    "PluginIsolationError",
    (from) => new from.PluginIsolationError("guard", "registerTool", "execute is a symbol"),
    "PLUGIN_NOT_ISOLABLE",
    { pluginId: "guard", member: "registerTool" },
  ],
  [
    "PluginStoppedError",
    (from) => new from.PluginStoppedError("guard", "it exited", "it is started again"),
    "PLUGIN_STOPPED",
    { pluginId: "guard" },
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

const FAMILY = {
  ...{ module: loader, classes: CLASSES, samples: ERRORS },
  reload: () => import("../src/index.js"),
};

describe("loader errors", () => {
  it.each(ERRORS)(
    "[SDK-017] include %s with a stable code and data, recognised across copies",
    async (...sample) => await expectRecognised(sample, FAMILY),
  );

  it("[SDK-017] have one class and one code per failure", () => expectOneCodeEach(FAMILY));
});

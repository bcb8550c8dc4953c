import {
  type ErrorClass,
  type ErrorSample,
  expectOneCodeEach,
  expectRecognised,
} from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import * as errors from "../src/errors.js";

const SAMPLES: readonly ErrorSample<typeof errors>[] = [
  [
    "PluginSourceError",
    (from) => new from.PluginSourceError("./guard", "there is none", "check the path"),
    "PLUGIN_SOURCE_UNUSABLE",
    { requested: "./guard" },
  ],
  [
    "PluginInstallRefusedError",
    (from) => new from.PluginInstallRefusedError("guard", "it is odd", "look at it"),
    "PLUGIN_INSTALL_REFUSED",
    { pluginId: "guard", message: 'plugin "guard" is not installed: it is odd; look at it' },
  ],
];
const FAMILY = {
  module: errors,
  classes: new Map<string, ErrorClass>([
    ["PluginSourceError", errors.PluginSourceError],
    ["PluginInstallRefusedError", errors.PluginInstallRefusedError],
  ]),
  samples: SAMPLES,
  reload: () => import("../src/errors.js"),
};

describe("errors of an installation", () => {
  it.each(SAMPLES)("%s is recognised by its code", async (...sample) => {
    await expectRecognised(sample, FAMILY);
  });

  it("have one code each", () => {
    expectOneCodeEach(FAMILY);
  });

  it("name the version that stays, and another next step", () => {
    const refused = new errors.PluginInstallRefusedError("guard", "it is odd", "look at it", {
      installed: "1.0.0",
    });
    expect(refused.withAdvice("take 2.0.0").message).toBe(
      'plugin "guard" is not updated, and version 1.0.0 stays: it is odd; look at it; take 2.0.0',
    );
    expect(refused.withAdvice("")).toBe(refused);
  });
});

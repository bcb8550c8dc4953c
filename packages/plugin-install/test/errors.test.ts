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
  [
    "MarketplaceUnusableError",
    (from) => new from.MarketplaceUnusableError("./market", "it has no list", "check the path"),
    "MARKETPLACE_UNUSABLE",
    { message: "the marketplace ./market cannot be used: it has no list; check the path" },
  ],
  [
    "MarketplaceNotFoundError",
    (from) => new from.MarketplaceNotFoundError("tols", "tools", "guard"),
    "MARKETPLACE_NOT_FOUND",
    {},
  ],
  [
    "MarketplaceConflictError",
    (from) => new from.MarketplaceConflictError("tools", "it is another", "remove it first"),
    "MARKETPLACE_CONFLICT",
    {},
  ],
  [
    "MarketplaceRedirectError",
    (from) => new from.MarketplaceRedirectError("https://example.com/a", "https://example.org/a"),
    "MARKETPLACE_REDIRECTED",
    {},
  ],
  [
    "MarketplacePluginNotFoundError",
    (from) => new from.MarketplacePluginNotFoundError("gaurd", "tools", "guard"),
    "MARKETPLACE_PLUGIN_NOT_FOUND",
    {},
  ],
  [
    "MarketplacePluginError",
    (from) => new from.MarketplacePluginError("guard@tools", "it is odd"),
    "MARKETPLACE_PLUGIN_REFUSED",
    {},
  ],
];
const FAMILY = {
  module: errors,
  classes: new Map<string, ErrorClass>([
    ["PluginSourceError", errors.PluginSourceError],
    ["PluginInstallRefusedError", errors.PluginInstallRefusedError],
    ["MarketplaceUnusableError", errors.MarketplaceUnusableError],
    ["MarketplaceNotFoundError", errors.MarketplaceNotFoundError],
    ["MarketplaceConflictError", errors.MarketplaceConflictError],
    ["MarketplaceRedirectError", errors.MarketplaceRedirectError],
    ["MarketplacePluginNotFoundError", errors.MarketplacePluginNotFoundError],
    ["MarketplacePluginError", errors.MarketplacePluginError],
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

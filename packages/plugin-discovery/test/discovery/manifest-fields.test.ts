import { PLUGIN_MANIFEST_SCHEMA } from "@openclaw/plugin-sdk/manifest";
import fc from "fast-check";
import { Errors } from "typebox/schema";
import { describe, expect, it } from "vitest";
import { checkManifest } from "../../src/discovery/manifest-check.js";

const FIELDS = Object.keys(Object(PLUGIN_MANIFEST_SCHEMA.properties));

/** Values that authors write into fields, valid and invalid. */
const values = fc.oneof(
  fc.constantFrom(
    "text",
    "Bad Id",
    "none",
    "worker",
    "",
    ["a", "b"],
    ["a", 1],
    [],
    { id: "base", version: "^1" },
    [{ id: "base", version: "^1" }, "other"],
    [{ id: "base" }],
    { tools: ["a"], hooks: [] },
    { tools: "a" },
    { more: ["a"], most: 1 },
    { network: { hosts: ["example.com"] }, fs: { read: ["."], write: [] } },
    { network: { hosts: [1] } },
    { network: [] },
    { fs: { read: "." } },
    { pluginApi: "^1", minGatewayVersion: "1.0.0" },
    { pluginApi: 1 },
    // No value may be converted to a string on the way.
    { toString: "" },
    ["worker"],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

describe("manifest fields", () => {
  it("are accepted exactly when the published schema accepts them", () => {
    const manifests = fc.record(Object.fromEntries(FIELDS.map((field) => [field, values])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(manifests, fc.boolean(), (fields, named) => {
        const manifest = named ? { ...fields, id: "@acme/guard" } : fields;
        const [valid] = Errors(PLUGIN_MANIFEST_SCHEMA, manifest);
        expect(checkManifest(manifest, new Set()).manifest !== undefined).toBe(valid);
      }),
      { numRuns: 500 },
    );
    // With one field at a time, neither check hides a problem from the other.
    for (const field of FIELDS) {
      fc.assert(
        fc.property(values, (value) => {
          const manifest = { id: "@acme/guard", [field]: value };
          const [valid] = Errors(PLUGIN_MANIFEST_SCHEMA, manifest);
          expect(checkManifest(manifest, new Set()).manifest !== undefined, field).toBe(valid);
        }),
      );
    }
  });
});

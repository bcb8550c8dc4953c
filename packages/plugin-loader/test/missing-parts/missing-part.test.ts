import { describe, expect, it } from "vitest";
import { SdkPartMissingError } from "../../src/index.js";
import { missingPart } from "../../src/missing-parts/missing-part.js";

const PART = {
  pluginId: "guard",
  specifier: "openclaw/plugin-sdk/harness",
  name: "Harness",
  importer: "dist/index.js",
  nearest: undefined,
};

/** Uses that a plugin makes of a part. */
interface Anything {
  new (): { push(): unknown };
  (): unknown;
  readonly create: () => { readonly child: () => unknown };
  readonly member: unknown;
  readonly length: number;
}

/** Returns the value of a missing part, and a function that ends the evaluation of the plugin's modules. */
function partOf() {
  let isLoading = true;
  const part = missingPart(PART, () => isLoading) as unknown as Anything;
  return {
    part,
    settle() {
      isLoading = false;
    },
  };
}

describe("the value of a missing part", () => {
  it("[PLUG-140] can be compared, extended and awaited", async () => {
    const { part, settle } = partOf();
    settle();
    class Own extends part {}
    expect({} instanceof part).toBe(false);
    expect(Own.prototype instanceof part).toBe(true);
    expect(typeof part).toBe("function");
    expect(part === part.member).toBe(false);
    expect(part.member).toBe(part.member);
    expect(await part).toBe(part);
    expect(() => new Own()).toThrow(SdkPartMissingError);
  });

  it.each<[use: string, use: (part: Anything) => unknown]>([
    ["a call", (part) => part()],
    ["a construction", (part) => new part()],
    ["a call of a member", (part) => part.create()],
    ["a call through apply", (part) => Reflect.apply(part, undefined, [])],
    ["text", (part) => `${part}`],
    ["a number", (part) => Number(part)],
    ["a list", (part) => [...(part as unknown as Iterable<unknown>)]],
    ["fields", (part) => ({ ...part })],
    ["a length", (part) => part.length],
    ["JSON", (part) => JSON.stringify({ part })],
  ])("[PLUG-140] fails when it is used: %s", (_, use) => {
    const { part, settle } = partOf();
    settle();
    expect(() => use(part)).toThrow(
      expect.objectContaining({
        code: "PLUGIN_SDK_PART_MISSING",
        kind: "unavailable",
        pluginId: "guard",
        specifier: "openclaw/plugin-sdk/harness",
        exportName: "Harness",
      }),
    );
  });

  it("[PLUG-140] returns further values to calls while modules are evaluated, which fail afterwards", () => {
    const { part, settle } = partOf();
    const log = part.create().child;
    const queue = new part();
    expect(() => `${log}`).toThrow(SdkPartMissingError);
    settle();
    expect(() => log()).toThrow(
      'plugin "guard" used Harness.create().child, which needs "Harness" of "openclaw/plugin-sdk/harness", ' +
        "which this host does not have (imported by dist/index.js); use a version of the plugin that fits this host, or update the host",
    );
    expect(() => queue.push()).toThrow("used Harness().push");
  });
});

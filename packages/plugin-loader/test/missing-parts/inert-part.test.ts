import { describe, expect, it } from "vitest";
import { inertPart } from "../../src/missing-parts/inert-part.js";
import { SdkGaps } from "../../src/missing-parts/sdk-gaps.js";

/** Uses that a plugin makes of a builder. */
interface Anything {
  (...given: unknown[]): Anything;
  readonly member: Anything;
}

describe("a function that only a set-up uses", () => {
  it("[PLUG-522] returns values that are empty in every form", async () => {
    const build = inertPart("createSetup") as Anything;
    const built = build({ channel: "lines" }).member(1);
    for (const value of [build, built, Reflect.construct(build, []) as Anything]) {
      expect(typeof value).toBe("function");
      expect([...(value as unknown as Iterable<unknown>)]).toEqual([]);
      expect({ ...value }).toEqual({});
      expect(Object.keys(value)).toEqual([]);
      expect(`${value}`).toBe("");
      expect(JSON.stringify({ value })).toBe("{}");
      expect(await value).toBe(value);
    }
    expect(build.member).toBe(build.member);
    expect("anything" in build).toBe(false);
  });

  it("[PLUG-522] is the same for every import, also after the modules were evaluated, and reports no use", () => {
    const gaps = new SdkGaps("lines");
    gaps.onUse = () => expect.unreachable();
    const names = ["createSetupTranslator", "createOptionalChannelSetupWizard"];
    const use = { specifier: "openclaw/plugin-sdk/setup", names, importer: "index.js" };
    const values = gaps.valuesOf(use, names, []);
    gaps.settle();
    const wizard = values.createOptionalChannelSetupWizard as Anything;
    expect(wizard({}).member).toBeDefined();
    const other = { ...use, specifier: "openclaw/plugin-sdk/channel-setup" };
    expect(gaps.valuesOf(other, names, []).createOptionalChannelSetupWizard).toBe(wizard);
    expect(gaps.isEmpty).toBe(false);
  });
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { nearestNames } from "../src/nearest-names.js";

it("ranks by distance, then by name", () => {
  const names = ["settings.json", "setting.ts", "settings.ts", "unrelated.md", "Settings.ts"];
  expect(nearestNames("setings.ts", names)).toEqual(["Settings.ts", "settings.ts", "setting.ts"]);
});

it("offers names that contain the wanted one", () => {
  expect(nearestNames("config", ["app.config.production.ts", "main.ts"])).toEqual([
    "app.config.production.ts",
  ]);
});

it("offers nothing when nothing is near", () => {
  expect(nearestNames("readme.md", ["main.ts", "x"])).toEqual([]);
});

it("finds every name after one slip of the fingers", () => {
  const name = fc.string({ unit: "grapheme-ascii", minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(name, fc.nat(), (wanted, at) => {
      const position = at % wanted.length;
      const slipped = wanted.slice(0, position) + wanted.slice(position + 1);
      expect(nearestNames(slipped, [wanted])).toEqual([wanted]);
    }),
  );
});

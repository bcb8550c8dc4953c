import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { storeConfigurationSchema } from "../src/index.js";

describe("the store section of the configuration", () => {
  it.each([
    [{}],
    [{ durability: "power" }],
    [{ durability: "process" }],
    [{ url: "file:other.db" }],
    [{ url: "postgres://user@host/database?schema=one" }],
    [{ url: "postgresql://host" }],
  ])("may be %j", (section) => {
    expect(Value.Check(storeConfigurationSchema, section)).toBe(true);
  });

  it.each([[{ durability: "none" }], [{ url: "libsql:host" }], [{ url: "a.db" }], [[]]])(
    "may not be %j",
    (section) => {
      expect(Value.Check(storeConfigurationSchema, section)).toBe(false);
    },
  );
});

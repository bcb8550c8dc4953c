import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { storeConfigurationSchema } from "../src/index.js";

describe("storeConfigurationSchema", () => {
  it.each([
    [{}],
    [{ durability: "power" }],
    [{ durability: "process" }],
    [{ url: "file:other.db" }],
    [{ url: "postgres://user@host/database?schema=one" }],
    [{ url: "postgresql://host" }],
  ])("accepts %j", (section) => {
    expect(Value.Check(storeConfigurationSchema, section)).toBe(true);
  });

  it.each([[{ durability: "none" }], [{ url: "libsql:" }], [{ url: "a.db" }], [[]]])(
    "rejects %j",
    (section) => {
      expect(Value.Check(storeConfigurationSchema, section)).toBe(false);
    },
  );
});

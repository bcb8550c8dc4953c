import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { retentionDays, storeConfigurationSchema } from "../src/index.js";
import { RETENTION_DEFAULTS } from "../src/retention.js";
import { retentionConfigurationSchema } from "../src/retention-configuration.js";

describe("the configuration of retention", () => {
  it("has a setting for every subject", () => {
    expect(Object.keys(retentionConfigurationSchema.properties)).toEqual(
      Object.keys(RETENTION_DEFAULTS).map((subject) => `${subject}Days`),
    );
  });

  it("is read as days by subject; what it leaves out keeps its default", () => {
    const configuration = { journalDays: 0.5, traceDays: "forever", transcriptDays: 365 } as const;
    expect(Value.Check(storeConfigurationSchema, { retention: configuration })).toBe(true);
    expect(retentionDays(configuration)).toEqual({
      journal: 0.5,
      trace: Number.POSITIVE_INFINITY,
      transcript: 365,
    });
    expect(retentionDays({})).toEqual({});
  });

  it.each([{ journalDays: 0 }, { journalDays: -1 }, { journalDays: "30" }, { eventDays: 1 }])(
    "refuses %j",
    (retention) => {
      expect(Value.Check(storeConfigurationSchema, { retention })).toBe(false);
    },
  );
});

import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { RETENTION_DAYS } from "../../src/contexts.js";
import { policyLogSchema, retentionDays, storeConfigurationSchema } from "../../src/index.js";
import { retentionConfigurationSchema } from "../../src/upkeep/retention-configuration.js";

describe("retention configuration", () => {
  it("has a setting for every subject", () => {
    const subjects = Object.keys(RETENTION_DAYS).filter((name) => name !== "policyDecision");
    expect(new Set(Object.keys(retentionConfigurationSchema.properties))).toEqual(
      new Set(subjects.map((subject) => `${subject}Days`)),
    );
    expect(retentionDays({}, { retentionDays: 3 })).toEqual({ policyDecision: 3 });
    expect(retentionDays({}, { retentionDays: "forever" }).policyDecision).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(Value.Check(policyLogSchema, { retentionDays: 0 })).toBe(false);
  });

  it("is read as days by subject, with defaults for missing subjects", () => {
    const configuration = { journalDays: 0.5, traceDays: "forever", transcriptDays: 365 } as const;
    expect(Value.Check(storeConfigurationSchema, { retention: configuration })).toBe(true);
    expect(retentionDays(configuration)).toEqual({
      journal: 0.5,
      trace: Number.POSITIVE_INFINITY,
      transcript: 365,
    });
    expect(retentionDays({})).toEqual({});
  });

  it("[SCALE-029] is read for every subject", () => {
    const configuration = Object.fromEntries(
      Object.keys(retentionConfigurationSchema.properties).map((name) => [name, 5]),
    );
    const days = retentionDays(configuration, { retentionDays: 5 });
    expect(days).toEqual(
      Object.fromEntries(Object.keys(RETENTION_DAYS).map((subject) => [subject, 5])),
    );
  });

  it.each([{ journalDays: 0 }, { journalDays: -1 }, { journalDays: "30" }, { eventDays: 1 }])(
    "rejects %j",
    (retention) => {
      expect(Value.Check(storeConfigurationSchema, { retention })).toBe(false);
    },
  );
});

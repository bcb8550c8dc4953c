import {
  ConfigurationError,
  checkConfiguration,
  formatProblem,
  parseConfigurationDocument,
} from "@openclaw/configuration";
import { DEFAULT_BINARIES, inspectOutput } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { hostSafety } from "../../src/host/safety.js";

const added = {
  id: "ticket",
  title: "a ticket of ours",
  reason: "Tickets stay inside.",
  severity: "high",
  kind: "leak",
  pattern: "TICKET-[0-9]{6}",
  literals: ["TICKET-"],
  actions: { output: "redact" },
  examples: { match: ["TICKET-123456"], clean: ["TICKET-1"] },
};

function check(section: object) {
  const text = `{\n  "safety": ${JSON.stringify(section)}\n}`;
  return checkConfiguration(parseConfigurationDocument(text, "openclaw.json"));
}

describe("hostSafety", () => {
  it("reads the section safety, which the two variables override (SAFE-002, SAFE-008)", () => {
    expect(hostSafety({ value: {} }, {})).toEqual({});
    const value = {
      safety: { maxOutputLength: 300, injection: "replace", injectionCheck: true },
    } as const;
    expect(hostSafety({ value }, {})).toEqual({
      maxLength: 300,
      injection: "replace",
      injectionCheck: true,
    });
    const environment = {
      SAFETY_MAX_OUTPUT_LENGTH: "500",
      SAFETY_INJECTION_CHECK_ENABLED: "false",
    };
    expect(hostSafety({ value }, environment)).toMatchObject({
      maxLength: 500,
      injectionCheck: false,
    });
    const unusable = () => hostSafety({ value }, { SAFETY_MAX_OUTPUT_LENGTH: "few" });
    expect(unusable).toThrow(ConfigurationError);
    expect(unusable).toThrow(/SAFETY_MAX_OUTPUT_LENGTH.*"few"/);
  });

  it("[SAFE-034] [SAFE-048] limits messages and the programs of commands", () => {
    const options = (section: object) => {
      const { value, errors } = check(section);
      expect(errors).toEqual([]);
      return hostSafety({ value: value ?? {} }, {});
    };
    expect(options({ maxInputLength: 10, forbidden: ["secret plan"] })).toEqual({
      maxInputLength: 10,
      forbidden: ["secret plan"],
    });
    expect(options({ binaries: {} }).binaries).toEqual(DEFAULT_BINARIES);
    expect(options({ binaries: { allow: ["docker"] } }).binaries).toContain("docker");
    expect(options({ binaries: { usual: false, allow: ["ls"] } }).binaries).toEqual(["ls"]);
    expect(check({ binaries: ["ls"] }).errors).toHaveLength(1);
    expect(check({ maxInputLength: 0 }).errors).toHaveLength(1);
  });

  it("adds and tunes rules (SAFE-042)", () => {
    const { value, errors } = check({
      added: [added],
      rules: { base64_payload: { enabled: false } },
    });
    expect(errors).toEqual([]);
    const options = hostSafety({ value: value ?? {} }, {});
    expect(inspectOutput("see TICKET-123456", options).content).toBe("see [REDACTED]");
    const payload = "QUJD".repeat(20);
    expect(inspectOutput(payload).findings).not.toEqual([]);
    expect(inspectOutput(payload, options).findings).toEqual([]);
  });

  it("rejects an invalid section with the location of each error", () => {
    const texts = (section: object) => check(section).errors.map(formatProblem);
    expect(texts({ rules: { openai_kee: { enabled: false } } })).toEqual([
      expect.stringMatching(/^openclaw\.json:2:\d+ safety\.rules\.openai_kee: .+/),
    ]);
    expect(texts({ added: [{ ...added, pattern: "(a+)+\\1" }] })).toEqual([
      expect.stringMatching(/^openclaw\.json:2:\d+ safety\.added\[0\]\.pattern: .+/),
    ]);
    expect(texts({ maxOutputLength: 1 })).toEqual([
      expect.stringMatching(/safety\.maxOutputLength/),
    ]);
    expect(texts({ rules: 3 })).toHaveLength(1);
  });
});

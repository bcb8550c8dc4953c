import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** The bundled guards. */
export const BUNDLED_GUARDS = mutantsOf(
  "extensions/guardrails",
  [
    {
      source: "profanity/guard.ts",
      noticedBy: ["profanity/matcher"],
      mutants: [
        [
          "profanity-passes",
          "DHOOK-036",
          "if (found.length === 0) return undefined;",
          "if (found.length >= 0) return undefined;",
        ],
      ],
    },
    {
      source: "rate-limit/guard.ts",
      noticedBy: ["rate-limit/guard"],
      mutants: [
        [
          "earlier-process-does-not-count",
          "DHOOK-037",
          "return isLoaded ? taken() : loaded().then(taken);",
          "return taken();",
        ],
      ],
    },
    {
      source: "sensitive-data/guard.ts",
      noticedBy: ["sensitive-data/detector"],
      mutants: [
        [
          "sensitive-parameters-pass",
          "DHOOK-038",
          "if (blocking.length > 0 || mapped.isTooDeep) {",
          "if (mapped.isTooDeep) {",
        ],
      ],
    },
    {
      source: "audit-log/entry.ts",
      noticedBy: ["audit-log/audit-log"],
      mutants: [
        [
          "changed-entry-passes",
          "DHOOK-039",
          "if (hashOf(entry) !== entry.hash) return",
          "if (entry.hash === undefined) return",
        ],
      ],
    },
    {
      source: "audit-log/guard.ts",
      noticedBy: ["audit-log/audit-log"],
      mutants: [
        [
          "audit-log-keeps-secrets",
          "DHOOK-039",
          'runtime.safety.findSecrets(text).length === 0 ? text : "[REDACTED]"',
          "text",
        ],
      ],
    },
    {
      source: "input/guard.ts",
      noticedBy: ["input/validator"],
      mutants: [
        [
          "invalid-parameters-pass",
          "DHOOK-040",
          "return isBlocking ? { block: true, blockReason",
          "return !isBlocking ? { block: true, blockReason",
        ],
      ],
    },
    {
      source: "cost/guard.ts",
      noticedBy: ["cost/guard"],
      mutants: [
        [
          "turn-over-the-budget-begins",
          "DHOOK-042",
          "if (shareOf(spent, budget) < 1) continue;",
          "if (shareOf(spent, budget) >= 0) continue;",
        ],
      ],
    },
    {
      source: "cost/sums.ts",
      noticedBy: ["cost/guard"],
      mutants: [
        [
          "cost-that-is-not-stored-does-not-count",
          "DHOOK-042",
          "return spent.length === 0 ? stored :",
          "return spent.length >= 0 ? stored :",
        ],
      ],
    },
    {
      source: "status/counters.ts",
      noticedBy: ["plugin"],
      mutants: [
        [
          "failed-guard-lets-pass",
          "DHOOK-046",
          "return answer.catch((error: unknown) => {\n      this.failed();\n      throw error;",
          "return answer.catch((_error: unknown) => {\n      this.failed();\n      return undefined as never;",
        ],
      ],
    },
    {
      source: "plugin.ts",
      noticedBy: ["plugin"],
      mutants: [
        [
          "guard-with-a-mistake-is-not-reported",
          "DHOOK-044 SDK-065",
          'this.#api.diagnose({ level: "error", message, hint });',
          "",
        ],
      ],
    },
    {
      source: "storage/write-behind.ts",
      noticedBy: ["storage/write-behind"],
      mutants: [
        [
          "records-are-lost-at-the-end",
          "DHOOK-048",
          "for (const write of due) await write();",
          "for (const write of due.slice(1)) await write();",
        ],
      ],
    },
  ],
  "extensions",
);

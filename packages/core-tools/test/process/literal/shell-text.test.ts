import { execFileSync } from "node:child_process";
import type { LiteralCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { shellTextOf } from "../../../src/process/literal/shell-text.js";
import { NO_REPOSITORIES } from "../../../src/process/repository/view.js";

const printing = (text: string, slot: number) => ({
  after: ";" as const,
  programs: [{ program: "printf", arguments: ["%s\\n", text], redirections: [] }],
  keepsOutput: slot,
});

describe("text of a literal command for a sandbox with a shell", () => {
  it.skipIf(process.platform !== "linux")(
    "[APPR-940] gives a program the output of others as files, and its own input",
    () => {
      const cat = {
        program: "cat",
        arguments: ["…0", "-", "…2"],
        redirections: [{ descriptor: 0, operator: "<<", target: "input\n" } as const],
        late: [
          { index: 0, parts: [{ slot: 0, isFile: true } as const] },
          { index: 2, parts: [{ slot: 1, isFile: true } as const] },
        ],
      };
      const command: LiteralCommand = {
        pipelines: [
          printing("first 'quoted'", 0),
          printing("$HOME", 1),
          { after: ";", programs: [cat] },
        ],
      };
      const text = shellTextOf(command, NO_REPOSITORIES);
      const output = execFileSync("/bin/sh", ["-c", text], { encoding: "utf8" });
      expect(output).toBe("first 'quoted'\ninput\n$HOME\n");
    },
  );

  it("[APPR-940] rejects names that it cannot check", () => {
    const wc = {
      program: "wc",
      arguments: ["-l", "…1"],
      redirections: [],
      late: [{ index: 1, parts: [{ isNames: true } as const] }],
    };
    const list = { program: "git", arguments: ["ls-files"], redirections: [] };
    const command: LiteralCommand = { pipelines: [{ after: ";", programs: [list, wc] }] };
    expect(() => shellTextOf(command, NO_REPOSITORIES)).toThrow(/cannot check the names/);
  });
});

import type { LiteralCommand } from "@openclaw/plugin-sdk/hooks";
import { parseCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import {
  containedCommand,
  grantableCommand,
  policyAuthorization,
  unaskedAuthorization,
} from "../../src/tool-call/exec-authorization.js";

const WORD = { pluginId: "approvals", policyId: "commands", reason: "it only reads" };

function command(...programs: string[][]): LiteralCommand {
  return {
    pipelines: [
      {
        after: ";",
        programs: programs.map(([program = "", ...words]) => ({
          program,
          arguments: words,
          redirections: [],
        })),
      },
    ],
  };
}

describe("command authorization without an approval request", () => {
  it("[APPR-038] is the command that a trusted policy returned", async () => {
    const asked = await parseCommand("grep foo -r src");
    const resolved = command(["/usr/bin/grep", "-r", "--exclude=.env", "--", "foo", "src"]);
    const metBy = { ...WORD, command: resolved, access: "read-only" } as const;
    expect(policyAuthorization(metBy, asked)).toEqual({
      run: "parsed",
      command: resolved,
      access: "read-only",
    });
    expect(unaskedAuthorization({ by: "policy" }, metBy, asked)).toMatchObject({ run: "parsed" });
  });

  it("[APPR-038] can limit revisions to commits, and no other part of a word", async () => {
    const asked = await parseCommand("git diff main..topic HEAD~1");
    const answer = (...words: string[]) =>
      policyAuthorization({ ...WORD, command: command(["/usr/bin/git", ...words]) }, asked);
    const range = "main^{commit}..topic^{commit}";
    expect(answer("--no-pager", "diff", range, "HEAD~1^{commit}")).toMatchObject({ run: "parsed" });
    expect(answer("diff", range, "HEAD~1")).toMatchObject({ run: "parsed" });
    expect(answer("diff", range, "HEAD~2^{commit}")).toBeUndefined();
    expect(answer("diff", range)).toBeUndefined();
  });

  it.each([
    ["another program", command(["/usr/bin/rm", "foo", "-r", "src"])],
    ["fewer words", command(["/usr/bin/grep", "foo", "src"])],
    ["a further program", command(["/usr/bin/grep", "foo", "-r", "src"], ["/usr/bin/tee", "x"])],
    ["no command", undefined],
  ])("[APPR-038] rejects a command with %s", async (_what, other) => {
    const asked = await parseCommand("grep foo -r src");
    expect(policyAuthorization({ ...WORD, command: other }, asked)).toBeUndefined();
  });

  it.each([
    ["a redirection", "grep foo", "grep foo > x"],
    ["another redirection", "grep foo > x", "grep foo > y"],
    ["pipelines joined by another operator", "grep foo; ls", "grep foo && ls"],
  ])("[APPR-038] rejects a command with %s", async (_what, text, answered) => {
    const asked = await parseCommand(text);
    const literal = async (other: string) => (await parseCommand(other)).literal;
    const answer = async (other: string) =>
      policyAuthorization({ ...WORD, command: await literal(other) }, asked);
    expect(await answer(text)).toMatchObject({ run: "parsed" });
    expect(await answer(answered)).toBeUndefined();
  });

  it("[APPR-021] [APPR-038] lets a grant cover only the requested command", async () => {
    const asked = await parseCommand("tool a");
    const need = (...words: string[]) => ({
      ...WORD,
      command: command(["/usr/bin/tool", ...words]),
      uncovered: [0],
      reach: ["exact"] as const,
    });
    expect(grantableCommand(need("a"), asked)).toMatchObject({ uncovered: [0] });
    expect(grantableCommand(need("b"), asked)).toBeUndefined();
    expect(grantableCommand(undefined, asked)).toBeUndefined();
  });

  it("[APPR-261] lets the read-only sandbox bound only the requested command, if all of it was read", async () => {
    const asked = await parseCommand("awk 1 a");
    const bounded = { ...WORD, command: command(["/usr/bin/awk", "1", "a"]), otherwise: undefined };
    expect(containedCommand(bounded, asked)).toMatchObject({ command: bounded.command });
    const other = { ...bounded, command: command(["/usr/bin/awk", "1", "b"]) };
    expect(containedCommand(other, asked)).toBeUndefined();
    const shell = { ...bounded, command: undefined };
    expect(containedCommand(shell, await parseCommand("ls *"))).toMatchObject({
      policy: "approvals/commands",
    });
    expect(containedCommand(bounded, await parseCommand("ls *"))).toBeUndefined();
    expect(containedCommand(shell, await parseCommand("ls 'open"))).toBeUndefined();
    expect(containedCommand(undefined, asked)).toBeUndefined();
    expect(unaskedAuthorization({ by: "contained" }, undefined, asked)).toEqual({
      run: "shell",
      access: "contained",
    });
    const { command: own } = bounded;
    expect(unaskedAuthorization({ by: "contained", command: own }, undefined, asked)).toEqual({
      run: "parsed",
      command: own,
      access: "contained",
    });
  });

  it("[APPR-046] is bound to the sandbox when a setting covers every command in it", async () => {
    const asked = await parseCommand("ls *");
    expect(unaskedAuthorization({ by: "sandbox" }, undefined, asked)).toEqual({
      run: "shell",
      access: "workspace",
    });
    const own = command(["/usr/bin/touch", "a"]);
    expect(unaskedAuthorization({ by: "sandbox", command: own }, undefined, asked)).toEqual({
      run: "parsed",
      command: own,
      access: "workspace",
    });
  });

  it("[APPR-038] is absent for a command that is not literal, and without authority", async () => {
    const asked = await parseCommand("ls *");
    expect(policyAuthorization({ ...WORD, command: command(["/bin/ls"]) }, asked)).toBeUndefined();
    expect(unaskedAuthorization({ by: "advance" }, undefined, asked)).toBeUndefined();
    expect(unaskedAuthorization(undefined, undefined, asked)).toBeUndefined();
    expect(unaskedAuthorization({ by: "any-command" }, undefined, asked)).toEqual({ run: "shell" });
  });
});

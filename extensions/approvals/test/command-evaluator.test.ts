import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  ASKED,
  BENIGN,
  type CommandCase,
  DESTRUCTIVE,
  ENDLESS,
  EVASIVE,
} from "./support/command-cases.js";
import { evaluationPlace } from "./support/evaluation.js";

const place = evaluationPlace();
afterAll(() => place[Symbol.dispose]());

const WORST = ["destructive", "hidden", "doubtful", "unlisted", "listed"];

async function outcome(command: string): Promise<CommandCase> {
  const { decision, commands } = await place.evaluate(command);
  const worst = commands.toSorted((a, b) => WORST.indexOf(a.finding) - WORST.indexOf(b.finding));
  return [command, decision, worst.find(({ rule }) => rule !== "assignment")?.rule ?? "none"];
}

describe("command evaluation", () => {
  it("has at least 300 different cases", () => {
    const all = [...BENIGN, ...ENDLESS, ...ASKED, ...EVASIVE, ...DESTRUCTIVE].map(
      ([command]) => command,
    );
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(300);
  });

  it.each(BENIGN)("[APPR-036][APPR-037] decides %j: %s (%s)", async (...expected) => {
    expect(await outcome(expected[0])).toEqual(expected);
  });

  it.each(ENDLESS)("[APPR-037] decides %j, which may never end: %s (%s)", async (...expected) => {
    expect(await outcome(expected[0])).toEqual(expected);
  });

  it("[APPR-037] requires approval to read a named pipe, which may never end", async () => {
    execFileSync("mkfifo", [join(place.workspaceDir, "pipe")]);
    for (const command of ["cat pipe", "tail -n 1 pipe", "head README.md pipe", "sed -n 1p pipe"]) {
      expect((await place.evaluate(command)).decision, command).toBe("ask");
    }
    expect((await place.evaluate("ls -l pipe")).decision).toBe("run");
  });

  it.each(ASKED)("[APPR-037] decides %j: %s (%s)", async (...expected) => {
    expect(await outcome(expected[0])).toEqual(expected);
  });

  it.each(EVASIVE)("[APPR-038][APPR-039][APPR-042] decides %j: %s (%s)", async (...expected) => {
    expect(await outcome(expected[0])).toEqual(expected);
  });

  it.each(DESTRUCTIVE)("[APPR-041] decides %j: %s (%s)", async (...expected) => {
    expect(await outcome(expected[0])).toEqual(expected);
  });
});

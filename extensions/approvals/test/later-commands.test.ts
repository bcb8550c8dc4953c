import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseCommandIn } from "@openclaw/plugin-testkit";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createCommandEvaluator } from "../src/command-evaluator.js";
import { AGENT_EFFECT_COMMANDS } from "./support/agent-effects.js";
import { AGENT_READING_COMMANDS } from "./support/agent-readers.js";
import {
  COMPOSED_HOSTILE_COMMANDS,
  COMPOSED_READING_COMMANDS,
} from "./support/composed-commands.js";
import { evaluationPlace } from "./support/evaluation.js";
import { EVERYDAY_COMMANDS } from "./support/everyday-commands.js";
import { HOSTILE_COMMANDS } from "./support/hostile-commands.js";
import { CODE_EFFECTS, CODE_READERS } from "./support/inline-code.js";
import { LATER_HOSTILE_COMMANDS, LATER_READING_COMMANDS } from "./support/later-commands.js";
import { READING_COMMANDS } from "./support/reading-commands.js";

const TIMEOUT = { timeout: 180_000 };
const hostilePlace = evaluationPlace();
afterAll(() => hostilePlace[Symbol.dispose]());
// Some commands ask for it, and the share must be the same on every machine.
beforeAll(() => void vi.stubEnv("CI", undefined));
afterAll(() => void vi.unstubAllEnvs());

/** Returns the commands that need approval, where a read-only sandbox is active and where none is. */
async function asking(
  commands: readonly string[],
  { workspaceDir, bin }: Pick<typeof hostilePlace, "workspaceDir" | "bin">,
) {
  const evaluator = createCommandEvaluator({}, `/usr/local/bin:/usr/bin:/bin:${bin}`);
  const without: string[] = [];
  const within: string[] = [];
  for (const command of commands) {
    const parsed = await parseCommandIn(workspaceDir, command);
    const { decision, contained } = await evaluator.evaluate(parsed, { workspaceDir });
    if (decision === "run") continue;
    without.push(command);
    if (contained === undefined) within.push(command);
  }
  return { without, within };
}

describe("commands that were written after the tables", () => {
  it(
    "[APPR-261] [APPR-620] run without approval when they only read, for at least 95 %",
    TIMEOUT,
    async () => {
      const place = evaluationPlace();
      onTestFinished(() => place[Symbol.dispose]());
      for (const link of ["src/link.txt", "src/out"]) await rm(join(place.workspaceDir, link));
      const known = new Set([...READING_COMMANDS, ...EVERYDAY_COMMANDS]);
      expect(LATER_READING_COMMANDS.filter((command) => known.has(command))).toEqual([]);
      expect(LATER_READING_COMMANDS.length).toBeGreaterThanOrEqual(100);
      const { without, within } = await asking(LATER_READING_COMMANDS, place);
      const most = 0.05 * LATER_READING_COMMANDS.length;
      expect(without.length, without.join("\n")).toBeLessThanOrEqual(most);
      expect(within.length, within.join("\n")).toBeLessThanOrEqual(most);
    },
  );

  it("[APPR-620] need approval when they change or leak something", TIMEOUT, async () => {
    const known = new Set(HOSTILE_COMMANDS);
    const commands = LATER_HOSTILE_COMMANDS.filter((command) => !known.has(command));
    expect(commands.length).toBeGreaterThanOrEqual(100);
    const { without } = await asking(commands, hostilePlace);
    expect(commands.filter((command) => !without.includes(command))).toEqual([]);
  });

  it(
    "[APPR-895] run without approval in the style of other agents, for at least 95 %",
    TIMEOUT,
    async () => {
      const place = evaluationPlace();
      onTestFinished(() => place[Symbol.dispose]());
      for (const link of ["src/link.txt", "src/out"]) await rm(join(place.workspaceDir, link));
      const known = new Set([...READING_COMMANDS, ...EVERYDAY_COMMANDS, ...LATER_READING_COMMANDS]);
      const commands = AGENT_READING_COMMANDS.filter((command) => !known.has(command));
      expect(commands.length).toBeGreaterThanOrEqual(180);
      const { without, within } = await asking(commands, place);
      expect(within.length / commands.length, within.join("\n")).toBeLessThanOrEqual(0.05);
      expect(without.length / commands.length, without.join("\n")).toBeLessThanOrEqual(0.05);
    },
  );

  it(
    "[APPR-895] need approval in that style when they change or leak something",
    TIMEOUT,
    async () => {
      const known = new Set([...HOSTILE_COMMANDS, ...LATER_HOSTILE_COMMANDS]);
      const commands = AGENT_EFFECT_COMMANDS.filter((command) => !known.has(command));
      expect(commands.length).toBeGreaterThanOrEqual(250);
      const { without } = await asking(commands, hostilePlace);
      expect(commands.filter((command) => !without.includes(command))).toEqual([]);
    },
  );

  it(
    "[APPR-941] run without approval when they are composed of others that read, for at least 95 %",
    TIMEOUT,
    async () => {
      const place = evaluationPlace();
      onTestFinished(() => place[Symbol.dispose]());
      for (const link of ["src/link.txt", "src/out"]) await rm(join(place.workspaceDir, link));
      const known = new Set([
        ...READING_COMMANDS,
        ...EVERYDAY_COMMANDS,
        ...LATER_READING_COMMANDS,
        ...AGENT_READING_COMMANDS,
      ]);
      const commands = COMPOSED_READING_COMMANDS.filter((command) => !known.has(command));
      expect(commands.length).toBeGreaterThanOrEqual(100);
      const { without, within } = await asking(commands, place);
      expect(within.length / commands.length, within.join("\n")).toBeLessThanOrEqual(0.05);
      expect(without.length / commands.length, without.join("\n")).toBeLessThanOrEqual(0.05);
    },
  );

  it(
    "[APPR-941] need approval when they are composed and change or leak something",
    TIMEOUT,
    async () => {
      const known = new Set([
        ...HOSTILE_COMMANDS,
        ...LATER_HOSTILE_COMMANDS,
        ...AGENT_EFFECT_COMMANDS,
      ]);
      const commands = COMPOSED_HOSTILE_COMMANDS.filter((command) => !known.has(command));
      expect(commands.length).toBeGreaterThanOrEqual(200);
      const { without } = await asking(commands, hostilePlace);
      expect(commands.filter((command) => !without.includes(command))).toEqual([]);
    },
  );

  it(
    "[APPR-500] run without approval when code on the command line only reads",
    TIMEOUT,
    async () => {
      const place = evaluationPlace();
      onTestFinished(() => place[Symbol.dispose]());
      for (const link of ["src/link.txt", "src/out"]) await rm(join(place.workspaceDir, link));
      execFileSync("git", ["add", "README.md", "package.json", "src"], { cwd: place.workspaceDir });
      expect(CODE_READERS.length).toBeGreaterThanOrEqual(60);
      const { without, within } = await asking(CODE_READERS, place);
      expect(within.length / CODE_READERS.length, within.join("\n")).toBeLessThanOrEqual(0.05);
      expect(without.length / CODE_READERS.length, without.join("\n")).toBeLessThanOrEqual(0.15);
    },
  );

  it(
    "[APPR-500] need approval when code on the command line changes or leaks something",
    TIMEOUT,
    async () => {
      expect(CODE_EFFECTS.length).toBeGreaterThanOrEqual(60);
      const { without } = await asking(CODE_EFFECTS, hostilePlace);
      expect(CODE_EFFECTS.filter((command) => !without.includes(command))).toEqual([]);
    },
  );

  it("[APPR-501] run with the bounds of sqlite3, and follow no links with grep -R", async () => {
    const verdict = await hostilePlace.evaluate("sqlite3 data.db 'select 1'");
    expect(verdict.run?.pipelines[0]?.programs[0]?.arguments).toEqual(
      expect.arrayContaining(["-safe", "-readonly", "-init", "/dev/null"]),
    );
    const search = await hostilePlace.evaluate("grep -Rn text src/deep");
    const words = search.run?.pipelines[0]?.programs[0]?.arguments ?? [];
    expect(words).toContain("-rn");
    expect(words).not.toContain("-Rn");
  });
});

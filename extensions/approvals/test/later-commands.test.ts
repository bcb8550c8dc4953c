import { parseCommandIn } from "@openclaw/plugin-testkit";
import { afterAll, expect, it } from "vitest";
import { createCommandEvaluator } from "../src/command-evaluator.js";
import { evaluationPlace } from "./support/evaluation.js";
import { HOSTILE_COMMANDS } from "./support/hostile-commands.js";
import { LATER_HOSTILE_COMMANDS } from "./support/later-commands.js";

const { workspaceDir, bin, ...place } = evaluationPlace();
afterAll(() => place[Symbol.dispose]());

it("[APPR-620] commands that were written after the tables need approval when they change or leak something", {
  timeout: 180_000,
}, async () => {
  const known = new Set(HOSTILE_COMMANDS);
  const commands = LATER_HOSTILE_COMMANDS.filter((command) => !known.has(command));
  expect(commands.length).toBeGreaterThanOrEqual(100);
  const evaluator = createCommandEvaluator({}, `/usr/local/bin:/usr/bin:/bin:${bin}`);
  const unasked: string[] = [];
  for (const command of commands) {
    const parsed = await parseCommandIn(workspaceDir, command);
    const { decision } = await evaluator.evaluate(parsed, { workspaceDir });
    if (decision === "run") unasked.push(command);
  }
  expect(unasked).toEqual([]);
});

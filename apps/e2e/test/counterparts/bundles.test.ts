import { resolve } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";
import { runInClaudeCode } from "../../src/bundles/claude-code-run.js";
import { differences } from "../../src/bundles/comparison.js";
import { runInGateway } from "../../src/bundles/gateway-run.js";
import { DECIDER, OBSERVER } from "../../src/bundles/own-bundles.js";
import type { BundleScenario } from "../../src/bundles/scenario.js";
import KNOWN from "./bundle-differences.json" with { type: "json" };

const published = (name: string) =>
  resolve(import.meta.dirname, "../../../../tools/counterparts/node_modules", name);
const bash = (command: string) => ({ tool: "Bash", input: { command } });

/** Has the form of a key of a code host. */
const TOKEN = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
const FILES = { "notes.txt": "one\n" };
const WORK = [
  bash("echo hi"),
  { tool: "Write", input: { file_path: "./a.txt", content: "one\n" } },
  { tool: "Read", input: { file_path: "./notes.txt" } },
  { tool: "Edit", input: { file_path: "./notes.txt", old_string: "one", new_string: "two" } },
  { tool: "Read", input: { file_path: "./none.txt" } },
  bash("echo broken; exit 3"),
  "done",
];
/** Words by which the deciding bundle knows its answer. */
const ANSWERS = [
  ...["exit-2", "exit-1", "half-json", "plain-text", "deny-json", "old-block", "allow-json"],
  ...["more-context", "new-input", "post-block", "post-exit-two", "post-context"],
];

const SCENARIOS: readonly (Omit<BundleScenario, "bundle"> & {
  readonly bundle: string | Readonly<Record<string, string>>;
})[] = [
  { name: "observer", bundle: OBSERVER, files: FILES, prompt: "work", script: WORK },
  {
    ...{ name: "decider", bundle: DECIDER, prompt: "decide" },
    script: [...ANSWERS.map((word) => bash(`echo ${word}`)), bash("exit 3"), "half", "done"],
  },
  { name: "blocked prompt", bundle: DECIDER, prompt: "the secret", script: ["never"] },
  {
    name: "subagent",
    bundle: OBSERVER,
    prompt: "delegate",
    until: "SubagentStop-1",
    script: [
      {
        tool: "Agent",
        input: { description: "count", prompt: "count", subagent_type: "general-purpose" },
      },
      { inSubagent: "counted" },
      "done",
    ],
  },
  {
    ...{ name: "sensitive-canary", bundle: published("@coo-quack/sensitive-canary") },
    ...{ files: { ".env": `KEY=${TOKEN}\n`, ...FILES }, prompt: "look around" },
    script: [
      { tool: "Read", input: { file_path: "./notes.txt" } },
      { tool: "Read", input: { file_path: "./.env" } },
      bash("cat .env"),
      bash(`echo ${TOKEN}`),
      "done",
    ],
  },
  {
    ...{ name: "sensitive-canary with a key", bundle: published("@coo-quack/sensitive-canary") },
    ...{ prompt: `use ${TOKEN}`, script: ["never"] },
  },
  {
    ...{ name: "selfish-pipeline", bundle: published("selfish-pipeline") },
    ...{ files: { ".claude/.selfish-active": "login\n", ...FILES }, prompt: "build it" },
    script: [
      bash("git push --force origin main"),
      bash("echo fine"),
      { tool: "Write", input: { file_path: "./a.txt", content: "one\n" } },
      bash("exit 1"),
      "done",
    ],
  },
  {
    ...{ name: "claude-dev-environment-setup", bundle: published("claude-dev-environment-setup") },
    ...{ prompt: "/dev-environment-setup:dev-environment-setup only the tools", script: ["done"] },
    texts: ["You are helping a user who has an app running locally", "only the tools"],
  },
  {
    ...{ name: "environment-check", bundle: published("claude-dev-environment-setup") },
    prompt: "check my setup",
    script: [
      { tool: "Skill", input: { skill: "dev-environment-setup:environment-check" } },
      "done",
    ],
    texts: ["Environment Check & Recovery", "guide the user through fixing it"],
  },
  {
    ...{ name: "claude-qol", bundle: published("@torka/claude-qol"), prompt: "end the session" },
    script: [{ tool: "Skill", input: { skill: "@torka/claude-qol:nash" } }, "done"],
    texts: ["Nash: Workflow Optimization Loop"],
  },
  {
    ...{
      name: "agent-reviews",
      bundle: published("agent-reviews"),
      prompt: "look at the findings",
    },
    script: [{ tool: "Skill", input: { skill: "agent-reviews:agent-reviews" } }, "done"],
    texts: ["--detail", "gh auth status"],
  },
];

const known = new Map(
  Object.entries(KNOWN).map(([pattern, reason]) => [
    pattern,
    { expression: read(pattern), reason },
  ]),
);
const met = new Set<string>();

function read(pattern: string): RegExp {
  return new RegExp(
    `^${pattern
      .split("*")
      .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"))
      .join(".*")}$`,
  );
}

it.each(SCENARIOS)(
  "[EXT-558] $name: a bundle does in Claude Code what it does here",
  async (scenario) => {
    using folder = temporaryFolder("own-bundle");
    const { bundle, name, texts } = scenario;
    if (typeof bundle !== "string") folder.write(bundle);
    const place = { ...scenario, bundle: typeof bundle === "string" ? bundle : folder.path };
    const there = await runInClaudeCode(place);
    const here = await runInGateway(place);
    for (const text of texts ?? []) expect(here.conversation).toContain(text);
    const unknown = differences(name, there, here, texts).filter((difference) => {
      const found = [...known].filter(([, { expression }]) => expression.test(difference));
      for (const [pattern] of found) met.add(pattern);
      return found.length === 0;
    });
    expect([...new Set(unknown)]).toEqual([]);
  },
);

it("[EXT-558] each known difference from Claude Code still exists and has a reason", () => {
  expect(Object.keys(KNOWN).filter((pattern) => !met.has(pattern))).toEqual([]);
  for (const reason of Object.values(KNOWN)) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
});

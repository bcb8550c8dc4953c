import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadParser } from "../../src/engine/core.js";
import { resolveFolder, resolveWorkflowFile } from "../../src/request/paths.js";
import { readBundle } from "../../src/workflow/bundle.js";
import { checkWorkflow } from "../../src/workflow/check.js";
import { parseWorkflow } from "../../src/workflow/document.js";
import { drawGraph } from "../../src/workflow/graph.js";
import { planPipeline, planWorkflow } from "../../src/workflow/plan.js";

function workspace(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "lobster-workspace-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const check = (text: string) => checkWorkflow(parseWorkflow(text, "f.yaml"), "f.yaml");
const steps = (count: number) =>
  Array.from({ length: count }, (_, index) => `  - { id: s${index}, run: "true" }`).join("\n");

describe("a workflow file", () => {
  it.each([
    ["steps:\n  - id: a\n    runn: ls\n", /^f\.yaml:3: unknown field "runn"; expected id, run/],
    ["nmae: x\nsteps:\n  - id: a\n    run: ls\n", /^f\.yaml:1: unknown field "nmae"/],
    ["steps:\n  - run: ls\n", /^f\.yaml:2: a step needs an id/],
    ["steps:\n  - id: a\n", /^f\.yaml:2: step "a" needs one of run/],
    [
      "steps:\n  - id: a\n    run: x\n    pipeline: y\n",
      /^f\.yaml:2: step "a" has run and pipeline/,
    ],
    ["steps:\n  - id: a\n    run: x\n  - id: a\n    run: y\n", /^f\.yaml:4: the step id "a"/],
    ["steps:\n  - id: a\n    approval:\n      promt: x\n", /^f\.yaml:4: unknown field "promt"/],
    [
      "steps:\n  - id: a\n    run: x\n    retry:\n      times: 3\n",
      /^f\.yaml:5: unknown field "times"/,
    ],
    ["steps:\n  - id: a\n    for_each: $b.json\n", /^f\.yaml:2: for_each of "a" needs steps/],
    ["steps:\n  - id: a\n    run: x\n    steps: []\n", /^f\.yaml:4: step "a" has steps without/],
    ["steps: [\n", /^f\.yaml:\d: /],
    ["- a\n", /^f\.yaml:1: expected an object/],
    ["", /^f\.yaml:1: expected an object/],
    ["steps: []\n", /^f\.yaml:1: expected a list of at least one step/],
    ["steps:\n  - id: a\n    run: x\n    id: b\n", /^f\.yaml:4: the key "id" is used twice/],
    ["args: { u: { default: 9007199254740995 } }\nsteps: []", /^f\.yaml:1: this number is beyond/],
    ["steps:\n  - id: a\n    run: x\n    9007199254740993: y\n", /^f\.yaml:4: this number is/],
    ["args:\n  u:\n    default: 0x20000000000003\n", /^f\.yaml:3: this number is .* in quotes$/],
    ["steps:\n  - { id: a, run: x, ? [b] : c }\n", /^f\.yaml:2: expected a text as the key/],
    [`name: x\nsteps: ${"[".repeat(65)}`, /^f\.yaml:2: lists and objects are nested more than 64/],
    [`name: x\n${"a: 1\n".repeat(15_000)}`, /^f\.yaml:\d+: the file has more than 50000 words/],
    [`steps:\n${"- ".repeat(70)}x\n`, /^f\.yaml:2: lists and objects are nested more than 64/],
    [`steps:\n${steps(1001)}\n`, /^f\.yaml:1002: more than 1000 steps/],
    [
      `steps:\n  - id: a\n    parallel:\n      branches:\n${Array.from({ length: 17 }, (_, index) => `        - { id: b${index}, run: x }`).join("\n")}\n`,
      /17 branches; at most 16/,
    ],
  ])("[LOB-019] is rejected with the line of the problem: %j", (text, message) => {
    expect(() => check(text)).toThrow(
      expect.objectContaining({ type: "parse_error", message: expect.stringMatching(message) }),
    );
  });

  it("[LOB-019] is accepted with every kind of step", () => {
    check(`name: all
description: every field
args: { a: { default: 1 } }
env: { A: b }
cwd: .
cost_limit: { max_usd: 1, action: warn }
steps:
  - { id: a, run: x, stdin: y, env: { A: b }, cwd: ., when: true, timeout_ms: 5, on_error: continue }
  - { id: b, command: x, retry: { max: 2, backoff: fixed, delay_ms: 1, max_delay_ms: 2, jitter: true } }
  - { id: c, pipeline: json, condition: "$a.json" }
  - { id: d, workflow: other.yaml, workflow_args: { a: b } }
  - { id: e, parallel: { wait: any, timeout_ms: 5, branches: [{ id: e1, run: x }, { id: e2, pipeline: json }] } }
  - { id: f, for_each: $a.json, item_var: i, index_var: n, batch_size: 2, pause_ms: 1, steps: [{ id: f1, run: x }] }
  - { id: g, approval: { prompt: x, items: [], preview: y, required_approver: z, require_different_approver: true } }
  - { id: h, input: { prompt: x, responseSchema: { type: object }, defaults: {} } }
`);
  });

  it("[LOB-005] [LOB-019] includes files of its workspace, eight levels deep, without cycles and gates", async () => {
    const deep = Object.fromEntries(
      Array.from({ length: 10 }, (_, level) => [
        `d${level}.yaml`,
        level === 9
          ? "steps: [{ id: a, run: x }]"
          : `steps: [{ id: a, workflow: d${level + 1}.yaml }]`,
      ]),
    );
    const folder = workspace({
      ...deep,
      "one.yaml": "steps: [{ id: a, workflow: sub/two.yaml }, { id: b, workflow: sub/two.yaml }]",
      "sub/two.yaml": "steps: [{ id: x, run: ls }]",
      "cycle.yaml": "steps: [{ id: a, workflow: cycle.yaml }]",
      "gate.yaml": "steps: [{ id: a, approval: go? }]",
      "outer.yaml": "steps: [{ id: a, workflow: gate.yaml }]",
      "escape.yaml": "steps: [{ id: a, workflow: ../../etc/x.yaml }]",
      "computed.yaml": `steps: [{ id: a, workflow: "$\{file}.yaml" }]`,
    });
    const bundle = await readBundle(folder, folder, "one.yaml");
    expect(bundle.files).toHaveLength(2);
    expect(Object.keys(bundle.digests)).toEqual(["one.yaml", "sub/two.yaml"]);
    expect(bundle.files.map(({ content }) => content).join()).toContain('"LOBSTER_STEP_ID":"x"');
    for (const [file, message] of [
      ["d0.yaml", /more than 8 levels/],
      ["cycle.yaml", /includes itself/],
      ["outer.yaml", /gate\.yaml has an approval/],
      ["escape.yaml", /not inside the workspace/],
      ["computed.yaml", /is computed/],
    ] as const) {
      await expect(readBundle(folder, folder, file), file).rejects.toThrow(message);
    }
    await expect(readBundle(folder, folder, "d2.yaml")).resolves.toMatchObject({
      entry: expect.any(String),
    });
  });

  it("[LOB-950] that does not exist is reported with the folder in which it was searched", async () => {
    const folder = workspace({ "a.yaml": "steps: []" });
    await expect(resolveWorkflowFile(folder, folder, "b.yaml")).rejects.toThrow(
      `filePath: "b.yaml" does not exist in the session's workspace ${realpathSync(folder)}`,
    );
  });

  it("[LOB-005] and its folder are inside the workspace", async () => {
    const folder = workspace({ "a.yaml": "steps: []", "sub/b.json": "{}" });
    expect(await resolveFolder(folder, "sub")).toMatch(/\/sub$/);
    expect(await resolveWorkflowFile(folder, folder, "sub/b.json")).toMatch(/b\.json$/);
    for (const path of ["/etc", "..", "sub/../..", "..\\x", "\0"]) {
      await expect(resolveFolder(folder, path), path).rejects.toMatchObject({
        type: "parse_error",
      });
    }
    await expect(resolveWorkflowFile(folder, folder, "sub")).rejects.toThrow(/ends in/);
  });
});

describe("the description of a workflow", () => {
  const WORKFLOW = parseWorkflow(
    `steps:
  - id: find
    run: ls
  - id: ask
    approval: Delete?
    stdin: $find.json
  - id: each
    for_each: $find.json
    when: $ask.approved
    steps:
      - id: remove
        pipeline: openclaw.invoke --tool write --args-json '{}' | llm.invoke --prompt x
`,
    "f.yaml",
  ).value;

  it("[LOB-033] lists steps, tools and approvals", async () => {
    const parse = await loadParser();
    expect(planWorkflow(WORKFLOW, parse)).toEqual({
      steps: [
        { id: "find", kind: "run", does: "ls", tools: ["exec"] },
        { id: "ask", kind: "approval", does: "Delete?", tools: [], gate: "approval" },
        {
          id: "each",
          kind: "for_each",
          does: "$find.json",
          tools: [],
          when: "$ask.approved",
          inside: [
            {
              id: "remove",
              kind: "pipeline",
              does: expect.stringContaining("openclaw.invoke"),
              tools: ["write", "llm_task"],
            },
          ],
        },
      ],
      tools: ["exec", "llm_task", "write"],
      approvals: ["ask"],
    });
    expect(planPipeline(parse("exec ls | approve --prompt Go | head --n 2"))).toMatchObject({
      tools: ["exec"],
      approvals: ["2:approve"],
    });
  });

  it("[LOB-033] is drawn for terminals, Mermaid and Graphviz", async () => {
    const plan = planWorkflow(WORKFLOW, await loadParser());
    expect(drawGraph(plan, WORKFLOW, "ascii")).toBe(`● find (run): ls
  │
◆ ask (approval): Delete?
  │   reads find
  │
● each (for_each): $find.json
  │   when $ask.approved
  │   reads find
  ├─ remove (pipeline): openclaw.invoke --tool write --args-json '{}' |…`);
    expect(drawGraph(plan, WORKFLOW, "mermaid")).toBe(`flowchart TD
  n1["find (run): ls"]
  n2{"ask (approval): Delete?"}
  subgraph n3["each (for_each): $find.json"]
    n4["remove (pipeline): openclaw.invoke --tool write --args-json '{}' |…"]
  end
  n1 -->|data| n2
  n2 -.->|when| n3
  n1 -->|data| n3`);
    expect(drawGraph(plan, WORKFLOW, "dot")).toContain(
      '"ask" -> "each" [label=when, style=dashed];',
    );
  });
});

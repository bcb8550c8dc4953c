import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ENGINE, findEngine } from "../../src/engine/engine.js";
import { lobsterHost } from "../support/lobster-host.js";

/** Entry of the engine, which has no type declarations. */
const ENTRY: string = ENGINE.entry;
const core = (await import(ENTRY)) as {
  runToolRequest(request: object): Promise<object>;
  createDefaultRegistry(): { list(): string[] };
};

/** Pipelines of the engine's documentation and of its commands. */
const PIPELINES = [
  "exec --json --shell 'echo [1,2,3]' | where '0>=0' | json",
  'exec --json echo \'[{"n":2,"k":"a"},{"n":1,"k":"b"},{"n":2,"k":"a"}]\' | where n>=1 | sort --key n | dedupe --key n | map label={{n}} | pick n,label',
  'exec --json echo \'[{"k":"a"},{"k":"b"},{"k":"a"}]\' | groupBy --key k | head --n 1',
  "exec --json echo '[{\"n\":2}]' | map --wrap item | template --text 'n is {{item.n}}'",
  "exec --json echo '[{\"n\":2}]' | table",
  "exec printf 'a\\nb\\n' | diff.last --key seen",
];

describe("the engine", () => {
  it("[LOB-018] gives the same output inside a run as by itself", async () => {
    const { run } = await lobsterHost({ answer: "allow-once" });
    const stateDir = mkdtempSync(join(tmpdir(), "lobster-engine-"));
    onTestFinished(() => rmSync(stateDir, { recursive: true }));
    const cwd = stateDir;
    for (const pipeline of PIPELINES) {
      const own = await core.runToolRequest({
        pipeline,
        ctx: {
          cwd,
          env: { ...process.env, LOBSTER_STATE_DIR: stateDir },
          stdin: new PassThrough(),
        },
      });
      expect(await run(pipeline), pipeline).toEqual(own);
    }
  });

  it("[LOB-036] is pinned, with the entry points that a run uses", () => {
    expect(manifest.dependencies["@clawdbot/lobster"]).toBe(ENGINE.version);
    expect(findEngine()).toMatchObject({ version: ENGINE.version });
    expect(Object.keys(core).sort()).toEqual([
      "createDefaultRegistry",
      "createToolContext",
      "decodeResumeToken",
      "parsePipeline",
      "resumeToolRequest",
      "runPipeline",
      "runToolRequest",
      "runWorkflowFile",
    ]);
    const registry = core.createDefaultRegistry();
    // A new command may have an effect that the plugin does not know; look at it before this list is changed.
    expect(registry.list()).toEqual([
      ...["approve", "ask", "clawd.invoke", "commands.list", "dedupe", "diff.last", "email.triage"],
      ...["exec", "gog.gmail.search", "gog.gmail.send", "groupBy", "head", "json", "llm.invoke"],
      ...[
        "llm_task.invoke",
        "map",
        "openclaw.agent",
        "openclaw.invoke",
        "pick",
        "sort",
        "state.get",
      ],
      ...["state.set", "table", "template", "where", "workflows.list", "workflows.run"],
    ]);
  });

  it("[LOB-036] names the command that installs it when it is missing", () => {
    const missing = () => {
      throw new Error("Cannot find package");
    };
    expect(() => findEngine(missing)).toThrow(
      expect.objectContaining({
        code: "LOBSTER_ENGINE_MISSING",
        message: expect.stringContaining(`npm install ${ENGINE.name}@${ENGINE.version}`),
      }),
    );
    const other = () => new URL("../../package.json", import.meta.url).href;
    expect(() => findEngine(other)).toThrow(/was not found at/);
  });
});

import { join, resolve } from "node:path";
import { loadConfiguration } from "@openclaw/configuration";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { type Gateway, startGateway } from "@openclaw/gateway";
import { createScriptedModel, type ModelScript } from "@openclaw/models";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import type { JobDetails } from "@openclaw/protocol";
import { onTestFinished, vi } from "vitest";

/** The built program of workers. */
const WORKER_PROGRAM = resolve(import.meta.dirname, "../../gateway/dist/worker.mjs");

/** A gateway that runs sandboxed jobs. */
export interface WorkerScene {
  readonly gateway: Gateway;
  readonly folder: TemporaryFolder;
  /** Events that clients received. */
  readonly events: readonly { readonly event: string; readonly payload: unknown }[];
  /** Creates a job, and waits until its work is finished. */
  run(description: string, mode?: JobDetails["mode"]): Promise<JobDetails>;
}

/**
 * Starts a gateway in this process, whose jobs run in real sandboxes.
 * @param script - replies of the model
 * @param options - files of the workspace, and the sections `jobs.sandbox`, `jobs.claudeCode` and `tools`
 */
export async function startWorkerScene(
  script: ModelScript,
  {
    files = {},
    sandbox = {},
    claudeCode = {},
    tools = {},
  }: {
    readonly files?: Readonly<Record<string, string>>;
    readonly sandbox?: object;
    readonly claudeCode?: object;
    readonly tools?: object;
  } = {},
): Promise<WorkerScene> {
  const folder = temporaryFolder("workers");
  onTestFinished(() => folder[Symbol.dispose]());
  const workspace = Object.entries(files).map(([path, text]) => [`workspace/${path}`, text]);
  folder.write({
    ...Object.fromEntries(workspace),
    "openclaw.json": JSON.stringify({ jobs: { sandbox, claudeCode }, tools }),
  });
  const model = createScriptedModel(script);
  const configurationFile = join(folder.path, "openclaw.json");
  const gateway = await startGateway({
    ...{ version: "1.0.0", stateDir: join(folder.path, "state"), configurationFile },
    configuration: await loadConfiguration(configurationFile),
    workspaceDir: join(folder.path, "workspace"),
    bundledExtensions: [],
    environment: {},
    port: 0,
    model: "scripted/script",
    workerProgram: WORKER_PROGRAM,
    inlinePlugins: [
      definePluginEntry({
        id: "scripted-model",
        name: "Scripted model",
        description: "Replies as the test says.",
        register(api) {
          api.registerProvider({
            ...{ id: "scripted", defaultModel: "script", paid: false, setup: "nothing" },
            credential: { source: "the test" },
            languageModel: () => model,
          });
        },
      }),
    ],
  });
  onTestFinished(() => gateway.stop("command"));
  const events: { readonly event: string; readonly payload: unknown }[] = [];
  gateway.onEvent((event) => events.push(event));
  const run: WorkerScene["run"] = async (description, mode = "sandboxed") => {
    const methods = await gateway.methods();
    const { jobId } = await methods.call("jobs.create", { title: "work", description, mode });
    return await vi.waitFor(
      async () => {
        const job = await methods.call("jobs.get", { jobId });
        if (["pending", "in_progress"].includes(job.state)) throw new Error(`${job.state}`);
        return job;
      },
      { timeout: 60_000, interval: 50 },
    );
  };
  return { gateway, folder, events, run };
}

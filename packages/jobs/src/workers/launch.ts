import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WorkerMount } from "@openclaw/core-tools";
import type { Job } from "@openclaw/store";
import type { WorkerStart } from "./backends/backend.js";
import { JobModeUnavailableError } from "./errors.js";
import type { ClaudePrograms } from "./external/claude-program.js";
import type { WorkerSettings } from "./settings.js";
import type { WorkerFolders } from "./workspace/copy.js";

/** Places inside a sandbox. */
const INSIDE = {
  workspace: "/workspace",
  socket: "/run/openclaw/worker.sock",
  egress: "/run/openclaw/egress.sock",
  program: "/run/openclaw/worker.mjs",
  node: "/run/openclaw/node",
  agent: "/run/openclaw/agent",
  agentState: "/run/openclaw/agent-state",
} as const;

/** Model calls of one worker (JOB-043), and of one external agent (JOB-045). */
const MOST_ITERATIONS = 50;
const MEBIBYTE = 1024 ** 2;
/** File with the program of bridges, in the folder of that of workers. */
const BRIDGE = "claude-bridge.mjs";

/** Programs, sockets and folders of the host that a sandbox shows. */
export interface LaunchContext {
  /** File with the program of workers. */
  readonly program: string;
  /** Sockets of the API, and of the proxy of the job. */
  readonly sockets: { readonly api: string; readonly egress: string };
  readonly folders: WorkerFolders;
  /** Workspace that the job changes when it has no copy. */
  readonly workspaceDir: string;
  readonly settings: WorkerSettings;
  readonly claude: Pick<ClaudePrograms, "find">;
}

type Launch = Omit<WorkerStart, "environment" | "jobId">;

/**
 * Returns how the program of a job is started in a sandbox: `openclaw worker`, or `openclaw claude-bridge`.
 * @param context - programs, sockets and folders of the host
 * @throws JobModeUnavailableError when the host has no program for the mode
 */
export async function launchOf(job: Job, context: LaunchContext): Promise<Launch> {
  return job.mode === "claude_code" ? await bridgeLaunch(job, context) : workerLaunch(job, context);
}

function workerLaunch(job: Job, context: LaunchContext): Launch {
  const { memoryMb, processes } = context.settings;
  const iterations = String(Math.min(job.maxIterations, MOST_ITERATIONS));
  return {
    ...placesOf(context, context.program),
    arguments: [...commandOf(job, "worker"), "--max-iterations", iterations],
    limits: { memoryBytes: memoryMb * MEBIBYTE, processes },
  };
}

async function bridgeLaunch(job: Job, context: LaunchContext): Promise<Launch> {
  const { settings, folders, claude } = context;
  const found = await claude.find();
  if ("cause" in found) {
    throw new JobModeUnavailableError(job.mode, [`${found.cause} (${found.remedy})`]);
  }
  const { source, entry } = found;
  const { model, memoryMb } = settings.claudeCode;
  const state = join(folders.folder, "agent");
  await mkdir(state, { recursive: true, mode: 0o700 });
  const resume = job.worker?.externalSession;
  const program = join(dirname(context.program), BRIDGE);
  const places = placesOf(context, program);
  return {
    ...places,
    arguments: [
      ...commandOf(job, "claude-bridge"),
      ...["--program", join(INSIDE.agent, entry), "--config-dir", INSIDE.agentState],
      ...["--max-turns", String(MOST_ITERATIONS), "--model", model],
      ...(resume === undefined ? [] : ["--resume", resume]),
    ],
    mounts: [
      ...places.mounts,
      { source, target: INSIDE.agent, isWritable: false },
      { source: state, target: INSIDE.agentState, isWritable: true },
    ],
    limits: { memoryBytes: memoryMb * MEBIBYTE, processes: settings.processes },
  };
}

function commandOf({ jobId }: Job, command: string): readonly string[] {
  return [
    ...[INSIDE.program, command, "--job-id", jobId],
    ...["--orchestrator-url", `unix:${INSIDE.socket}`, "--egress", INSIDE.egress],
  ];
}

function placesOf(
  { sockets, folders, workspaceDir, settings }: LaunchContext,
  program: string,
): Pick<Launch, "mounts" | "program" | "workdir"> {
  const { policy, workspace } = settings;
  const mounts: readonly WorkerMount[] = [
    { source: process.execPath, target: INSIDE.node, isWritable: false },
    { source: program, target: INSIDE.program, isWritable: false },
    { source: sockets.api, target: INSIDE.socket, isWritable: true },
    { source: sockets.egress, target: INSIDE.egress, isWritable: true },
    {
      source: workspace === "copy" ? folders.workspace : workspaceDir,
      target: INSIDE.workspace,
      isWritable: policy !== "readonly",
    },
  ];
  return { mounts, program: INSIDE.node, workdir: INSIDE.workspace };
}

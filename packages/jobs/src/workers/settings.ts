import { type Static, Type } from "typebox";
import { HOST_PATTERN } from "./egress/allow-list.js";

const whole = (minimum: number, maximum: number, standard: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, default: standard, description }));

/** The section `jobs.sandbox` of the configuration. */
export const sandboxSchema = Type.Object(
  {
    runtime: Type.Optional(
      Type.Enum(["bubblewrap"], {
        description:
          "Program that separates workers from the host; the first that works when absent.",
      }),
    ),
    policy: Type.Optional(
      Type.Enum(["readonly", "workspace_write", "full_access"], {
        default: "workspace_write",
        description:
          "Reach of workers: readonly changes nothing, workspace_write changes the copy of the workspace, and full_access also reaches every public host.",
      }),
    ),
    memoryMb: whole(1024, 65_536, 2048, "Memory of a worker in MiB."),
    processes: whole(16, 32_768, 512, "Maximum number of processes and threads of a worker."),
    hosts: Type.Optional(
      Type.Array(Type.String({ pattern: HOST_PATTERN, maxLength: 253 }), {
        maxItems: 1000,
        description:
          "Hosts that workers reach in addition to registries of packages and documentation; `*.` in front for all below one.",
      }),
    ),
    workspace: Type.Optional(
      Type.Enum(["copy", "direct"], {
        default: "copy",
        description:
          "copy keeps the changes of a worker until `jobs apply`; direct lets it change the workspace itself.",
      }),
    ),
    timeoutSeconds: whole(1, 86_400, 600, "Time after which a worker is ended."),
  },
  { additionalProperties: false, description: "Workers of jobs with mode `sandboxed`." },
);

/** The section `jobs.claudeCode` of the configuration. */
export const claudeCodeSchema = Type.Object(
  {
    program: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Path of Claude Code; `claude` of the PATH of the gateway when absent.",
      }),
    ),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        default: "sonnet",
        description:
          "Name with which Claude Code asks for its model. The gateway answers with the model of the job.",
      }),
    ),
    memoryMb: whole(1024, 65_536, 4096, "Memory of Claude Code in MiB."),
  },
  { additionalProperties: false, description: "Jobs with mode `claude_code`." },
);

/** The section `jobs.claudeCode` as its file gives it. */
type ClaudeCodeConfiguration = Static<typeof claudeCodeSchema>;

/** The section `jobs.sandbox` as its file gives it. */
export type SandboxConfiguration = Static<typeof sandboxSchema>;

/** Settings of workers. */
export interface WorkerSettings {
  readonly runtime: string | undefined;
  readonly policy: "readonly" | "workspace_write" | "full_access";
  /** Hosts in addition to those of every worker. */
  readonly hosts: readonly string[];
  readonly workspace: "copy" | "direct";
  readonly memoryMb: number;
  readonly processes: number;
  readonly timeoutSeconds: number;
  readonly claudeCode: {
    /** Undefined for `claude` of the path of the host. */
    readonly program: string | undefined;
    readonly model: string;
    readonly memoryMb: number;
  };
}

/**
 * Returns the settings of workers.
 * @param section - the section `jobs.sandbox`
 * @param claudeCode - the section `jobs.claudeCode`
 */
export function workerSettings(
  {
    runtime,
    policy = "workspace_write",
    hosts = [],
    workspace = "copy",
    memoryMb = 2048,
    processes = 512,
    timeoutSeconds = 600,
  }: SandboxConfiguration = {},
  { program, model = "sonnet", memoryMb: claudeMemoryMb = 4096 }: ClaudeCodeConfiguration = {},
): WorkerSettings {
  return {
    ...{ runtime, policy, hosts, workspace, memoryMb, processes, timeoutSeconds },
    claudeCode: { program, model, memoryMb: claudeMemoryMb },
  };
}

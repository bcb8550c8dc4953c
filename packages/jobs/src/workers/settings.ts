import { type Static, Type } from "typebox";

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
      Type.Enum(["readonly", "workspace_write"], {
        default: "workspace_write",
        description: "What commands of workers may change: nothing, or the copy of the workspace.",
      }),
    ),
    memoryMb: whole(1024, 65_536, 2048, "Memory of a worker in MiB."),
    processes: whole(16, 32_768, 512, "Maximum number of processes and threads of a worker."),
    timeoutSeconds: whole(1, 86_400, 600, "Time after which a worker is ended."),
  },
  { additionalProperties: false, description: "Workers of jobs with mode `sandboxed`." },
);

/** The section `jobs.sandbox` as its file gives it. */
export type SandboxConfiguration = Static<typeof sandboxSchema>;

/** Settings of workers. */
export interface WorkerSettings {
  readonly runtime: string | undefined;
  readonly policy: "readonly" | "workspace_write";
  readonly memoryMb: number;
  readonly processes: number;
  readonly timeoutSeconds: number;
}

/**
 * Returns the settings of workers.
 * @param section - the section `jobs.sandbox`
 */
export function workerSettings({
  runtime,
  policy = "workspace_write",
  memoryMb = 2048,
  processes = 512,
  timeoutSeconds = 600,
}: SandboxConfiguration = {}): WorkerSettings {
  return { runtime, policy, memoryMb, processes, timeoutSeconds };
}

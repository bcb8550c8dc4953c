import { defined, displayUsd, parseUsd } from "@openclaw/foundation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { findRunningGateway, type RunningGateway } from "../host/running-gateway.js";
import { installation, stateDirOf } from "../installation.js";
import { type McpServerState, mcpServers } from "../mcp/servers.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { type Field, printFields } from "../shell/fields.js";
import { sizeOf } from "../shell/size.js";
import { timeOf } from "../shell/table.js";
import type { StoredStatus } from "./stored-status.js";

/**
 * Runs `openclaw status`: describes the running gateway, else what its state folder holds (HOST-031).
 * @param options - format
 * @param context - terminal and environment
 */
export async function statusCommand(
  { json = false }: { json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, environment } = context;
  const stateDir = stateDirOf(environment);
  const running = await findRunningGateway(environment);
  const live = running?.http === undefined ? undefined : await liveStatus(running.http);
  const stored = live === undefined ? await readStored(environment) : undefined;
  const { version } = installation;
  const process = running === undefined ? undefined : { pid: running.pid, url: running.http?.url };
  if (json) {
    const described = live ?? stored;
    terminal.print(JSON.stringify({ version, stateDir, running: process ?? null, ...described }));
    return EXIT.ok;
  }
  printFields(
    [
      ["OpenClaw", version],
      ["state", stateDir],
      ...(live !== undefined ? liveFields(live, process) : storedFields(stored, process)),
    ],
    terminal,
  );
  return EXIT.ok;
}

/** The code that opens databases is loaded only when no gateway runs. */
async function readStored(environment: NodeJS.ProcessEnv): Promise<StoredStatus> {
  const { storedStatus } = await import("./stored-status.js");
  return storedStatus(environment);
}

/** State of a running gateway. */
interface LiveStatus {
  readonly status: GatewayMethodResult<"host.status">;
  readonly health: GatewayMethodResult<"host.health">;
  /** Tokens of today, in UTC. */
  readonly usageToday: GatewayMethodResult<"usage.query">["groups"];
  readonly mcpServers: readonly McpServerStatus[];
  readonly tasks: GatewayMethodResult<"tasks.list">["tasks"];
}

type McpServerStatus = Pick<McpServerState, "name" | "state" | "reason">;

async function liveStatus({ client }: NonNullable<RunningGateway["http"]>): Promise<LiveStatus> {
  const from = new Date().setUTCHours(0, 0, 0, 0);
  const [status, health, { groups: usageToday }, servers, { tasks }] = await Promise.all([
    client.call("host.status", {}),
    client.call("host.health", {}),
    client.call("usage.query", { from, groupBy: "model" }),
    mcpServers((method, parameters) => client.invoke(method, parameters)),
    client.call("tasks.list", {}),
  ]);
  return {
    ...{ status, health, usageToday, tasks },
    mcpServers: servers.map(({ name, state, reason }) => ({ name, state, ...defined({ reason }) })),
  };
}

type RunningProcess = { readonly pid: number; readonly url: string | undefined } | undefined;

function liveFields(
  { status, health, usageToday, mcpServers: servers, tasks }: LiveStatus,
  process: RunningProcess,
): Field[] {
  const { configuration, database, plugins, turns, channels } = status;
  const [main, ...included] = configuration.files;
  const others = included.length === 0 ? "" : `, with ${included.join(", ")}`;
  const failing = health.checks.filter(({ ok }) => !ok);
  const tokens = usageToday.reduce((sum, { totalTokens }) => sum + totalTokens, 0);
  const models = usageToday.map(({ key, totalTokens }) => `${key} ${totalTokens}`).join(", ");
  const cost = usageToday.reduce((sum, { costUsd }) => sum + (parseUsd(costUsd) ?? 0n), 0n);
  const isEstimated = usageToday.some(({ estimatedCalls }) => estimatedCalls > 0);
  return [
    [
      "gateway",
      `running at ${process?.url} (process ${process?.pid}), ${health.ready ? "ready" : "not ready"}, since ${timeOf(status.startedAt)}`,
    ],
    ["config", `${main ?? "defaults, there is no file"}${others}`],
    ["variables", configuration.variables.join(", ") || undefined],
    ["database", `${database.name} (${database.dialect})`],
    ["problem", database.lost],
    ["model", status.model],
    ["agents", status.agents.join(", ")],
    ["channels", channels.join(", ") || "none"],
    [
      "plugins",
      `${plugins.loaded} loaded, ${plugins.disabled} off${plugins.failed === 0 ? "" : `, ${plugins.failed} failed`}`,
    ],
    ["mcp", serversText(servers)],
    ...status.skillsLeftOut.map(({ message }): Field => ["skill", message]),
    ...status.hookProblems.map((message): Field => ["hook", message]),
    ["turns", `${turns.unfinished} queued, running or waiting`],
    ["approvals", `${status.pendingApprovals} pending`],
    [
      "devices",
      status.waitingDevices === 0
        ? undefined
        : `${status.waitingDevices} waiting for an approval; see openclaw devices list`,
    ],
    ["tokens", `${tokens} today (UTC)${models === "" ? "" : `: ${models}`}`],
    [
      "cost",
      `${isEstimated ? "about " : ""}${displayUsd(cost)} today (UTC); see openclaw models status for budgets`,
    ],
    ...tasks.map((task): Field => ["task", taskText(task)]),
    ...failing.map(({ name, detail }): Field => ["problem", `${name}: ${detail ?? "failed"}`]),
  ];
}

/** Returns a background task as text, for example `jobs every 60 s, last 12:00:00 in 3 ms, next 12:01:00`. */
function taskText(task: LiveStatus["tasks"][number]): string {
  const { name, intervalMs, isPaused, isRunning, lastRunAt, lastDurationMs } = task;
  const { lastError, failures, nextRunAt } = task;
  const took = lastDurationMs === undefined ? "" : ` in ${lastDurationMs} ms`;
  const next = nextRunAt === undefined ? "waits for work" : `next ${timeOf(nextRunAt)}`;
  const failed = failures > 1 ? `failed ${failures} times in a row` : "failed";
  return [
    intervalMs === undefined ? name : `${name} every ${intervalMs / 1000} s`,
    ...(lastRunAt === undefined ? [] : [`last ${timeOf(lastRunAt)}${took}`]),
    ...(lastError === undefined ? [] : [`${failed}: ${lastError}`]),
    isPaused ? "paused" : isRunning ? "runs" : next,
  ].join(", ");
}

/** Returns the number of MCP servers by state, and the reasons of those that cannot be used. */
function serversText(servers: readonly McpServerStatus[]): string | undefined {
  if (servers.length === 0) return undefined;
  const states = ["ready", "starting", "stopped", "failing", "refused"] as const;
  const counts = states.flatMap((state) => {
    const count = servers.filter((server) => server.state === state).length;
    return count === 0 ? [] : [`${count} ${state}`];
  });
  const reasons = servers.flatMap(({ name, reason }) =>
    reason === undefined ? [] : [`${name} ${reason}`],
  );
  return [counts.join(", "), ...reasons].join("; ");
}

function storedFields(stored: StoredStatus | undefined, process: RunningProcess): Field[] {
  if (stored === undefined) return [];
  const { configuration, database, plugins, model } = stored;
  const { file, exists, errors, variables } = configuration;
  const problems = errors.length === 1 ? "1 error" : `${errors.length} errors`;
  const validity =
    errors.length === 0 ? file : `${file}: ${problems}, run \`openclaw config validate\``;
  return [
    [
      "gateway",
      process === undefined
        ? "not running; start it with `openclaw gateway run`"
        : `process ${process.pid} uses the state folder and serves no clients`,
    ],
    ["config", exists ? validity : `defaults, ${file} does not exist`],
    ["variables", variables.join(", ") || undefined],
    ["database", databaseText(database)],
    ["problem", database !== undefined && "lost" in database ? database.lost : undefined],
    ["model", model ?? "chosen at the start"],
    ["plugins", plugins && `${plugins.on} on, ${plugins.off} off`],
    ...stored.skillsLeftOut.map(({ message }): Field => ["skill", message]),
  ];
}

function databaseText(database: StoredStatus["database"]): string {
  if (database === undefined) return "unknown, because the configuration is not valid";
  if ("problem" in database) return database.problem;
  const { name, dialect, exists, bytes } = database;
  if (!exists) return "none yet; the first start creates it";
  return `${name} (${dialect}${bytes === undefined ? "" : `, ${sizeOf(bytes)}`})`;
}

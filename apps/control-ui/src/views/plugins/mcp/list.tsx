import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { ActButton } from "../../../components/act-button.js";
import { FaultNote } from "../../../components/fault-note.js";
import { type MarkState, StateMark } from "../../../components/state-mark.js";
import { TableHead } from "../../../components/table-head.js";
import { now } from "../../../state/clock.js";
import { AddDialog } from "./dialogs.js";
import { text } from "./messages.js";
import { callMcp, type McpServer, serverLog, servers } from "./servers.js";

/** Seconds after which the servers are read again; no event reports their states. */
const EVERY_S = 5;

const COLUMNS = [
  [text.state, "", true],
  [text.server, "", false],
  [text.target, "x", false],
  [text.tools, "", false],
  [text.reconnect, "", true],
] as const;

/** Server that is connected again. */
const reconnected = signal<string | undefined>(undefined);

/** Reads the servers while a view shows them. */
export function useServers(): void {
  useEffect(() => servers.show(), []);
  const tick = Math.floor(now.value / (EVERY_S * 1000));
  useEffect(() => servers.refresh(), [tick]);
}

/** MCP servers with their states and the number of their tools. */
export function ServerList() {
  useServers();
  const all = servers.value.value;
  return (
    <>
      <ServerFault />
      {all === undefined ? (
        servers.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : all.length === 0 ? (
        <div class="empty">
          <h2>{text.none}</h2>
          <p>
            {text.noneHelp} <AddButton />
          </p>
        </div>
      ) : (
        <div class="page">
          <p class="sec end">
            <AddButton />
          </p>
          <div class="rows mcps" role="table" aria-label={text.title}>
            <TableHead columns={COLUMNS} />
            {all.map((server) => (
              <Row key={server.name} server={server} />
            ))}
          </div>
        </div>
      )}
    </>
  );
}

function AddButton() {
  const isAdding = useSignal(false);
  return (
    <>
      <ActButton scope="operator.admin" onAct={() => (isAdding.value = true)}>
        {text.add}
      </ActButton>
      {isAdding.value && <AddDialog onClose={() => (isAdding.value = false)} />}
    </>
  );
}

/** Failure of the last read or change. */
export function ServerFault() {
  if (servers.fault.value === undefined) return null;
  return (
    <div class="pad">
      <FaultNote fault={servers.fault.value} />
    </div>
  );
}

function Row({ server }: { server: McpServer }) {
  const { name, target, tools, reason } = server;
  const waiting = tools?.filter(({ change }) => change !== undefined).length ?? 0;
  return (
    <div class="row act" role="row">
      <span role="cell">
        <ServerMark server={server} />
      </span>
      <span role="cell" class="two">
        <Link class="cover" href={`/plugins?server=${encodeURIComponent(name)}`}>
          <strong>{name}</strong>
        </Link>{" "}
        {reason !== undefined && <span class="bad t12">{reason}</span>}
      </span>
      <span role="cell" class="x sub" title={target}>
        {target}
      </span>
      <span role="cell" class={waiting > 0 ? "warn" : "sub"}>
        {waiting > 0
          ? text.waitingOf(waiting)
          : tools === undefined
            ? text.unknown
            : text.countOf(tools.length)}
      </span>
      <span role="cell" class="free end">
        <ReconnectButton server={server} />
      </span>
    </div>
  );
}

/** Button that connects to a server again. */
export function ReconnectButton({ server: { name, isUndecided } }: { server: McpServer }) {
  const isOwn = reconnected.value === name;
  const busy = reconnected.value === undefined ? undefined : text.reconnecting;
  return (
    <ActButton
      scope="operator.admin"
      label={text.named(text.reconnect, name)}
      reason={isUndecided ? text.undecided : busy}
      onAct={() => void reconnect(name)}
    >
      {isOwn ? text.reconnecting : text.reconnect}
    </ActButton>
  );
}

async function reconnect(server: string): Promise<void> {
  reconnected.value = server;
  await servers.change(() => callMcp("mcp.test", { server }));
  reconnected.value = undefined;
  serverLog.refresh();
}

/** State of a server as a mark. */
export function ServerMark({ server }: { server: McpServer }) {
  return <StateMark state={markOfServer(server)} label={stateWords(server)} />;
}

/** State of a server in words. */
export function stateWords({ state, isUndecided }: McpServer): string {
  if (isUndecided) return text.undecided;
  return state in STATES ? text[state as keyof typeof STATES] : state;
}

function markOfServer({ state, isUndecided }: McpServer): MarkState {
  if (isUndecided) return "approval";
  return state in STATES ? STATES[state as keyof typeof STATES] : "waiting";
}

const STATES = {
  stopped: "waiting",
  starting: "running",
  ready: "done",
  failing: "failed",
  refused: "blocked",
} as const satisfies Readonly<Record<string, MarkState>>;

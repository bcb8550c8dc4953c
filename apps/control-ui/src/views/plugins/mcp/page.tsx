import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ActButton } from "../../../components/act-button.js";
import { CrumbBar } from "../../../components/crumb-bar.js";
import { Facts } from "../../../components/facts.js";
import { FaultNote } from "../../../components/fault-note.js";
import { JsonTree } from "../../../components/json-tree.js";
import { now } from "../../../state/clock.js";
import { shortTime } from "../../../text/format.js";
import { RemoveDialog } from "./dialogs.js";
import { ReconnectButton, ServerFault, ServerMark, stateWords, useServers } from "./list.js";
import { Login } from "./login.js";
import { text } from "./messages.js";
import {
  callMcp,
  type McpServer,
  type McpTool,
  serverLog,
  servers,
  showServerLog,
} from "./servers.js";

/** Seconds after which the log is read again. */
const EVERY_S = 3;

/** One MCP server: its state, its tools with what changed in them, and what it wrote. */
export function ServerPage({ name }: { name: string }) {
  useServers();
  const isRemoving = useSignal(false);
  useEffect(() => showServerLog(name), [name]);
  const tick = Math.floor(now.value / (EVERY_S * 1000));
  useEffect(() => serverLog.refresh(), [tick]);
  const all = servers.value.value;
  const server = all?.find((each) => each.name === name);
  return (
    <>
      <CrumbBar view={text.title} path="/plugins?view=mcp" title={name} isId>
        {server !== undefined && (
          <div class="end">
            <ReconnectButton server={server} />
            {server.origin === undefined && (
              <ActButton
                scope="operator.admin"
                label={text.removeOf(name)}
                onAct={() => (isRemoving.value = true)}
              >
                {text.remove}
              </ActButton>
            )}
          </div>
        )}
      </CrumbBar>
      <ServerFault />
      {isRemoving.value && <RemoveDialog name={name} onClose={() => (isRemoving.value = false)} />}
      {server !== undefined ? (
        <div class="split">
          <div tabIndex={0} role="region" aria-label={text.tools}>
            <Tools server={server} />
          </div>
          <div tabIndex={0} role="region" aria-label={text.about}>
            <About server={server} />
            <Login server={server} />
            <Log name={name} />
          </div>
        </div>
      ) : all !== undefined ? (
        <div class="empty">
          <h2>{text.notFound(name)}</h2>
        </div>
      ) : (
        servers.fault.value === undefined && <div class="page" aria-busy="true" />
      )}
    </>
  );
}

function Tools({ server: { name, tools, isUndecided } }: { server: McpServer }) {
  if (isUndecided) {
    return (
      <section class="sec">
        <p class="mid">{text.undecided}</p>
        <AcceptButton server={name} words={text.allow} />
      </section>
    );
  }
  if (tools === undefined) return <p class="sec dim">{text.unknown}</p>;
  if (tools.length === 0) return <p class="sec dim">{text.noTools}</p>;
  const changed = tools.filter(({ change }) => change !== undefined);
  return (
    <>
      {changed.length > 1 && (
        <section class="sec">
          <AcceptButton server={name} words={text.acceptAll} />
        </section>
      )}
      {tools.map((tool) => (
        <Tool key={tool.tool} server={name} tool={tool} />
      ))}
    </>
  );
}

function Tool({ server, tool }: { server: string; tool: McpTool }) {
  const { name, description, problem, change } = tool;
  return (
    <section class="sec">
      <h2 class="h">
        <span class="mono t12">{name}</span>
      </h2>
      <p class="mid t12">{description}</p>
      {change !== undefined ? (
        <>
          <p class="warn t12">{text.changed}</p>
          <h3 class="t12">{text.accepted}</h3>
          <JsonTree value={change.accepted} label={text.accepted} />
          <h3 class="t12">{text.pending}</h3>
          <JsonTree value={change.pending} label={text.pending} />
          <AcceptButton server={server} tool={tool.tool} words={text.accept} />
        </>
      ) : (
        problem !== undefined && <p class="bad t12">{problem}</p>
      )}
    </section>
  );
}

function AcceptButton({ server, tool, words }: { server: string; tool?: string; words: string }) {
  const parameters = tool === undefined ? { server } : { server, tool };
  return (
    <ActButton
      scope="operator.admin"
      label={text.named(words, tool ?? server)}
      onAct={() => void servers.change(() => callMcp("mcp.accept", parameters))}
    >
      {words}
    </ActButton>
  );
}

function About({ server }: { server: McpServer }) {
  const { target, origin, reason, nextAttemptAt, protocolVersion, isOutsideSandbox } = server;
  return (
    <section class="sec">
      <h2 class="h">{text.about}</h2>
      <Facts
        facts={[
          [
            text.state,
            <span key="state">
              <ServerMark server={server} /> {stateWords(server)}
            </span>,
          ],
          [text.target, target],
          [text.file, origin],
          [text.protocol, protocolVersion],
          [text.next, nextAttemptAt === undefined ? undefined : shortTime(nextAttemptAt)],
        ]}
      />
      {reason !== undefined && <p class="bad t12">{reason}</p>}
      {isOutsideSandbox && <p class="dim t12">{text.outside}</p>}
    </section>
  );
}

function Log({ name }: { name: string }) {
  const read = serverLog.value.value;
  const lines = read?.server === name ? read.lines : [];
  return (
    <section class="sec">
      <h2 class="h">{text.log}</h2>
      {serverLog.fault.value !== undefined && <FaultNote fault={serverLog.fault.value} />}
      {lines.length === 0 ? (
        <p class="dim">{text.noLog}</p>
      ) : (
        <pre class="code wrap out" tabIndex={0} role="region" aria-label={text.log}>
          {lines.join("\n")}
        </pre>
      )}
    </section>
  );
}

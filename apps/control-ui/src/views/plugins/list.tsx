import type { PluginNote, PluginSummary } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { Link } from "wouter-preact";
import { ActButton } from "../../components/act-button.js";
import { PageBar } from "../../components/page-bar.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { SwitchBox } from "../../components/switch-box.js";
import { TableHead } from "../../components/table-head.js";
import { InstallDialog } from "./dialogs.js";
import { ServerList } from "./mcp/list.js";
import { text as servers } from "./mcp/messages.js";
import { text } from "./messages.js";
import { ChangeNotes } from "./notes.js";
import { changePlugins, closedBecause, plugins } from "./plugins.js";
import { ToolList } from "./tool-pages.js";

/** Plugins, each with its state, and what is wrong with them. */
export function PluginList({ view }: { view: string | null }) {
  const isProblems = view === "problems";
  const isTools = view === "tools";
  const isServers = view === "mcp";
  const isInstalling = useSignal(false);
  const all = plugins.value;
  const notes = all?.diagnostics.filter(({ level }) => level !== "info") ?? [];
  const reason = closedBecause();
  const tabs = [
    {
      ...{ name: text.installed, path: "/plugins", count: all?.plugins.length },
      isCurrent: !isProblems && !isTools && !isServers,
    },
    {
      ...{ name: text.problems, path: "/plugins?view=problems", count: notes.length },
      isCurrent: isProblems,
    },
    { name: text.tools, path: "/plugins?view=tools", isCurrent: isTools },
    { name: servers.title, path: "/plugins?view=mcp", isCurrent: isServers },
  ];
  return (
    <>
      <PageBar title={text.title} tabs={tabs}>
        {all !== undefined && <span class="dim t12 x num">{text.generation(all.generation)}</span>}
        <ActButton
          scope="operator.admin"
          reason={reason}
          onAct={() => void changePlugins("plugins.reload", {})}
        >
          {text.reloadAll}
        </ActButton>
        <ActButton scope="operator.admin" reason={reason} onAct={() => (isInstalling.value = true)}>
          {text.install}
        </ActButton>
      </PageBar>
      <ChangeNotes />
      {isTools ? (
        <ToolList />
      ) : isServers ? (
        <ServerList />
      ) : all === undefined ? (
        <div class="page" aria-busy="true" />
      ) : isProblems ? (
        <Problems notes={notes} />
      ) : (
        <Rows plugins={all.plugins} reason={reason} />
      )}
      {isInstalling.value && <InstallDialog onClose={() => (isInstalling.value = false)} />}
    </>
  );
}

/** Switch that enables and disables a plugin. */
export function PluginSwitch({
  id,
  status,
  reason,
}: {
  id: string;
  status: string;
  reason: string | undefined;
}) {
  const isOn = status !== "disabled";
  return (
    <SwitchBox
      label={text.switchNamed(id)}
      isOn={isOn}
      reason={reason}
      onSwitch={() => void changePlugins(isOn ? "plugins.disable" : "plugins.enable", { id })}
    />
  );
}

const COLUMNS = [
  [text.state, "", true],
  [text.plugin, "", false],
  [text.does, "x", false],
  [text.origin, "x", false],
  [text.version, "end x", false],
  [text.enabled, "", true],
] as const;

function Rows({
  plugins: all,
  reason,
}: {
  plugins: readonly PluginSummary[];
  reason: string | undefined;
}) {
  if (all.length === 0) {
    return (
      <div class="empty">
        <h2>{text.none}</h2>
      </div>
    );
  }
  return (
    <div class="page">
      <div class="rows plugins" role="table" aria-label={text.title}>
        <TableHead columns={COLUMNS} />
        {all.map(({ id, status, description, reason: why, hint, origin, version }) => (
          <div class="row act" role="row" key={id}>
            <span role="cell">
              <StateMark state={markOf(status)} label={text[status]} />
            </span>
            <span role="cell" title={id}>
              <Link class="cover" href={`/plugins?id=${encodeURIComponent(id)}`}>
                <strong>{id}</strong>
              </Link>
            </span>
            <span role="cell" class={status === "error" ? "x bad" : "x mid"} title={hint ?? why}>
              {why ?? description}
            </span>
            <span role="cell" class="x sub">
              {origin}
            </span>
            <span role="cell" class="end x">
              {version}
            </span>
            <span role="cell" class="free end">
              <PluginSwitch id={id} status={status} reason={reason} />
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

function Problems({ notes }: { notes: readonly PluginNote[] }) {
  if (notes.length === 0) {
    return (
      <div class="empty">
        <h2>{text.noProblems}</h2>
        <p>{text.noProblemsHelp}</p>
      </div>
    );
  }
  return (
    <div class="page">
      <ul class="plugin-notes pad">
        {notes.map((note, index) => (
          // The gateway replaces the whole list.
          <Note key={index} note={note} />
        ))}
      </ul>
    </div>
  );
}

/** Problem of a plugin with its next step. */
export function Note({ note: { level, code, message, pluginId, hint } }: { note: PluginNote }) {
  return (
    <li
      class="note t12"
      data-s={level === "error" ? "failed" : level === "warn" ? "approval" : undefined}
    >
      <span>
        {pluginId !== undefined && (
          <Link href={`/plugins?id=${encodeURIComponent(pluginId)}`}>
            <b>{pluginId}</b>
          </Link>
        )}{" "}
        <code>{code}</code> {message} {hint !== undefined && <span class="mid">{hint}</span>}
      </span>
    </li>
  );
}

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { ActButton } from "../../components/act-button.js";
import { Facts } from "../../components/facts.js";
import { FaultNote } from "../../components/fault-note.js";
import { Icon } from "../../components/icons.js";
import { isRecord } from "../../components/schema-form/schema.js";
import { SchemaForm } from "../../components/schema-form/schema-form.js";
import { markOf, StateMark } from "../../components/state-mark.js";
import { gateway, mayCall, missingScope } from "../../state/link.js";
import { duration } from "../../text/format.js";
import { SaveButtons, SettingsDialogs, SettingsNotes } from "../settings/saving.js";
import { form, loadSettings, schema } from "../settings/settings.js";
import { UninstallDialog } from "./dialogs.js";
import { Note, PluginSwitch } from "./list.js";
import { text } from "./messages.js";
import { ChangeNotes } from "./notes.js";
import { PluginPanel } from "./panel.js";
import {
  changePlugins,
  closedBecause,
  details,
  fault,
  loadPlugin,
  type PluginDetails,
} from "./plugins.js";
import { UpdateDialog } from "./update-dialog.js";

/** Start of the name of the view of a panel. */
const PANEL_VIEW = "panel:";

/** One plugin: what it does, may do and has registered, and its settings. */
export function PluginPage({ id, view }: { id: string; view: string | null }) {
  const isSettings = view === "settings";
  const panelId = view?.startsWith(PANEL_VIEW) ? view.slice(PANEL_VIEW.length) : undefined;
  const open = useSignal<"update" | "uninstall" | undefined>(undefined);
  const isOpen = gateway.value !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    if (mayCall("plugins.inspect")) void loadPlugin(id);
    if (mayCall("config.get")) void loadSettings();
  }, [id, isOpen]);
  const plugin = details.value?.id === id ? details.value : undefined;
  const reason = closedBecause();
  const base = `/plugins?id=${encodeURIComponent(id)}`;
  const close = () => {
    open.value = undefined;
  };
  return (
    <>
      <header class="bar">
        <Link class="btn quiet icon only-narrow back" href="/plugins" aria-label={text.back}>
          <Icon name="back" />
        </Link>
        <h1>
          <Link class="crumb" href="/plugins">
            {text.title}
          </Link>
          <span class="clip">{id}</span>
        </h1>
        <nav class="tabs" aria-label={text.views}>
          <Link href={base} aria-current={isSettings || panelId !== undefined ? undefined : "page"}>
            {text.overview}
          </Link>
          <Link href={`${base}&view=settings`} aria-current={isSettings ? "page" : undefined}>
            {text.settings}
          </Link>
          {plugin?.panels.map((panel) => (
            <Link
              key={panel.id}
              href={`${base}&view=${PANEL_VIEW}${panel.id}`}
              aria-current={panel.id === panelId ? "page" : undefined}
            >
              {panel.title}
            </Link>
          ))}
        </nav>
        {isSettings ? (
          <SaveButtons isText={false} />
        ) : (
          plugin !== undefined && (
            <div class="end">
              <PluginSwitch id={id} status={plugin.status} reason={reason} />
              <ActButton
                scope="operator.admin"
                reason={reason}
                onAct={() => void changePlugins("plugins.reload", { id })}
              >
                {text.reload}
              </ActButton>
              {plugin.installedFrom !== undefined && (
                <>
                  <ActButton
                    scope="operator.admin"
                    reason={reason}
                    onAct={() => (open.value = "update")}
                  >
                    {text.update}
                  </ActButton>
                  <ActButton
                    scope="operator.admin"
                    reason={reason}
                    onAct={() => (open.value = "uninstall")}
                  >
                    {text.uninstall}
                  </ActButton>
                </>
              )}
            </div>
          )
        )}
      </header>
      {isSettings ? <SettingsNotes /> : <ChangeNotes />}
      {plugin === undefined ? (
        fault.value === undefined ? (
          <div class="page" aria-busy="true" />
        ) : (
          isSettings && (
            <div class="setnote">
              <FaultNote fault={fault.value} />
            </div>
          )
        )
      ) : isSettings ? (
        <PluginSettings plugin={plugin} />
      ) : panelId !== undefined ? (
        <PluginPanel plugin={plugin} id={panelId} />
      ) : (
        <Overview plugin={plugin} />
      )}
      {isSettings && <SettingsDialogs />}
      {plugin !== undefined && open.value === "update" && (
        <UpdateDialog plugin={plugin} onClose={close} />
      )}
      {open.value === "uninstall" && <UninstallDialog id={id} onClose={close} />}
    </>
  );
}

/** Form of the plugin's schema, or an editor without one (UI-020). */
function PluginSettings({ plugin: { id, hasConfigSchema } }: { plugin: PluginDetails }) {
  const merged = schema.value;
  if (merged === undefined) return <div class="page" aria-busy="true" />;
  const base = ["plugins", "entries", id];
  const own = hasConfigSchema ? configSchemaOf(merged.schema, id) : undefined;
  return (
    <div class="page">
      <fieldset class="form" disabled={missingScope("operator.admin") !== undefined}>
        {own === undefined ? (
          <>
            <p class="dim">{text.noSchema}</p>
            <SchemaForm state={form} schema={{ properties: { config: {} } }} base={base} />
          </>
        ) : (
          <SchemaForm
            state={form}
            schema={own}
            base={[...base, "config"]}
            hints={merged.uiHints[id]}
          />
        )}
      </fieldset>
    </div>
  );
}

function configSchemaOf(whole: unknown, id: string): unknown {
  const keys = [
    "properties",
    "plugins",
    "properties",
    "entries",
    "properties",
    id,
    "properties",
    "config",
  ];
  return keys.reduce<unknown>((part, key) => (isRecord(part) ? part[key] : undefined), whole);
}

function Overview({ plugin }: { plugin: PluginDetails }) {
  const { description, status, reason, hint, hooks, registered, diagnostics } = plugin;
  const kinds = Object.entries(registered).filter(([, names]) => names.length > 0);
  const isChanged = [hint, ...diagnostics.map((note) => note.hint)].some((each) =>
    each?.includes("plugins accept"),
  );
  return (
    <div class="split">
      <div tabIndex={0} role="region" aria-label={text.overview}>
        <section class="sec">
          <p class="mid t14">
            <StateMark state={markOf(status)} label={text[status]} /> {description}
          </p>
          {reason !== undefined && (
            <p class={status === "error" ? "bad" : "mid"}>
              {reason} {hint}
            </p>
          )}
          {isChanged && (
            <ActButton
              scope="operator.admin"
              reason={closedBecause()}
              onAct={() => void changePlugins("plugins.accept", { id: plugin.id })}
            >
              {text.accept}
            </ActButton>
          )}
        </section>
        {hooks.length > 0 && <Handlers hooks={hooks} />}
        <section>
          <h2 class="grp">{text.registered}</h2>
          {kinds.length === 0 && <p class="sec dim">{text.nothingRegistered}</p>}
          <dl class="facts sec">
            {kinds.map(([kind, names]) => (
              <div key={kind}>
                <dt>{kind}</dt>
                <dd class="mono t12">{names.join(", ")}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <div tabIndex={0} role="region" aria-label={text.about}>
        <Permissions plugin={plugin} />
        <About plugin={plugin} />
        {diagnostics.length > 0 && (
          <section class="sec">
            <h2 class="h">{text.notes}</h2>
            <ul class="plugin-notes">
              {diagnostics.map((note, index) => (
                <Note key={index} note={note} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}

function Handlers({ hooks }: Pick<PluginDetails, "hooks">) {
  return (
    <section>
      <h2 class="grp">
        {text.handlers} <span class="n">{hooks.length}</span>
      </h2>
      <div class="rows phooks" role="table" aria-label={text.handlers}>
        <div class="row head" role="row">
          {[text.hook, text.priority, text.fired, text.failed, text.median, text.slowest].map(
            (name, index) => (
              <span
                role="columnheader"
                class={index === 0 ? "" : index === 2 ? "end" : "end x"}
                key={name}
              >
                {name}
              </span>
            ),
          )}
        </div>
        {hooks.map(({ hook, priority, fired, failed, p50Ms, p99Ms, active, reason }, index) => (
          // A plugin may have several handlers of a hook with one priority.
          <div class="row" role="row" key={index} title={active ? undefined : reason}>
            <span role="cell" class={active ? "mono t12" : "mono t12 dim"}>
              {hook}
            </span>
            <span role="cell" class="end x">
              {priority}
            </span>
            <span role="cell" class="end">
              {fired === 0 ? <span class="dim">{text.neverFired}</span> : fired.toLocaleString()}
            </span>
            <span role="cell" class={failed > 0 ? "end x bad" : "end x"}>
              {failed === 0 ? "–" : failed.toLocaleString()}
            </span>
            <span role="cell" class="end x">
              {duration(p50Ms)}
            </span>
            <span role="cell" class="end x">
              {duration(p99Ms)}
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

function Permissions({ plugin: { permissions } }: { plugin: PluginDetails }) {
  const all = Object.entries(permissions);
  return (
    <section class="sec">
      <h2 class="h">
        {text.mayDo} <span class="dim">{text.fromManifest}</span>
      </h2>
      {all.length === 0 && <p class="dim">{text.noPermissions}</p>}
      <dl class="facts">
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="mono t12">
              {Array.isArray(value) ? value.join(", ") : JSON.stringify(value)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function About({ plugin }: { plugin: PluginDetails }) {
  const { version, origin, generation, loadMs, registerMs, manifestPath, rootDir, installedFrom } =
    plugin;
  const loaded =
    generation === undefined
      ? undefined
      : text.loadedIn(generation, duration(loadMs ?? 0), duration(registerMs ?? 0));
  const rows = [
    [text.version, [version, origin].filter((each) => each !== undefined).join(", ")],
    [text.from, installedFrom],
    [text.loadTime, loaded],
    [text.manifest, manifestPath],
    [text.folder, rootDir],
  ] as const;
  return (
    <section class="sec">
      <h2 class="h">{text.about}</h2>
      <Facts facts={rows} />
    </section>
  );
}

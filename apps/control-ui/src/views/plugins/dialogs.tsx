import { useSignal } from "@preact/signals";
import { useLocation } from "wouter-preact";
import { Dialog } from "../../components/dialog.js";
import { FaultNote } from "../../components/fault-note.js";
import { hostStatus } from "../../state/host.js";
import { text } from "./messages.js";
import { changePlugins, fault, isWorking, type PluginDetails } from "./plugins.js";

/** Installs a plugin after a scan of its code. */
export function InstallDialog({ onClose }: { onClose(): void }) {
  const [, navigate] = useLocation();
  const source = useSignal("");
  const isForced = useSignal(false);
  const isRefused = fault.value?.code === "PLUGIN_INSTALL_REFUSED";
  const install = async () => {
    const specifier = source.value.trim();
    if (specifier === "") return;
    const cwd = hostStatus.value?.workspaceDir ?? "/";
    const force = isForced.value ? { force: true } : {};
    const done = await changePlugins("plugins.install", { specifier, cwd, ...force });
    if (done === undefined) return;
    onClose();
    if (done.plugin !== undefined) navigate(`/plugins?id=${encodeURIComponent(done.plugin.id)}`);
  };
  return (
    <Dialog class="sm" titleId="install-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void install();
        }}
      >
        <header>
          <h2 id="install-title">{text.installTitle}</h2>
          <p>{text.installHelp}</p>
        </header>
        <div class="in">
          <input
            class="input mono"
            aria-label={text.source}
            placeholder={text.source}
            spellcheck={false}
            value={source.value}
            onInput={({ currentTarget }) => {
              source.value = currentTarget.value;
            }}
          />
          {fault.value !== undefined && <FaultNote fault={fault.value} />}
          {isRefused && (
            <label class="line">
              <input
                class="check"
                type="checkbox"
                checked={isForced.value}
                onChange={({ currentTarget }) => {
                  isForced.value = currentTarget.checked;
                }}
              />
              {text.force}
            </label>
          )}
        </div>
        <Buttons name={text.installNow} onClose={onClose} />
      </form>
    </Dialog>
  );
}

/** Updates a plugin; more permissions are shown first, and need consent (UI-019). */
export function UpdateDialog({ plugin, onClose }: { plugin: PluginDetails; onClose(): void }) {
  const { id, installedFrom, source } = plugin;
  const asked = useSignal<readonly string[] | undefined>(undefined);
  const removed = useSignal<readonly string[]>([]);
  const files = useSignal<string | undefined>(undefined);
  const update = async () => {
    const isConsent = asked.value !== undefined;
    const done = await changePlugins("plugins.update", {
      id,
      ...(isConsent ? { accept: true } : {}),
    });
    if (done === undefined) return;
    const { addedPermissions = [], update: difference } = done;
    if (addedPermissions.length === 0) {
      onClose();
      return;
    }
    asked.value = addedPermissions;
    removed.value = difference?.permissions.removed ?? [];
    if (difference === undefined) return;
    const { added, changed, removed: gone } = difference.files;
    files.value = text.filesOf(added.length, changed.length, gone.length);
  };
  const count = asked.value?.length;
  return (
    <Dialog class="sm" titleId="update-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void update();
        }}
      >
        <header>
          <h2 id="update-title">
            {count === undefined ? text.updateTitle(id) : text.permissionsAsked(count)}
          </h2>
          <p>
            {count === undefined ? text.updateHelp(installedFrom ?? source) : text.permissionsHelp}
          </p>
        </header>
        <div class="in">
          {asked.value !== undefined && (
            <ul class="pd">
              {asked.value.map((permission) => (
                <li class="add" key={permission}>
                  <b aria-hidden="true">+</b>
                  <code>{permission}</code>
                  <span class="dim">{text.added}</span>
                </li>
              ))}
              {removed.value.map((permission) => (
                <li class="del" key={permission}>
                  <b aria-hidden="true">−</b>
                  <code>{permission}</code>
                  <span class="dim">{text.removed}</span>
                </li>
              ))}
            </ul>
          )}
          {files.value !== undefined && <p class="dim t12">{files.value}</p>}
          {fault.value !== undefined && <FaultNote fault={fault.value} />}
        </div>
        <Buttons
          name={count === undefined ? text.updateNow : text.acceptAndLoad(count)}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

/** Confirms that a plugin is removed, which cannot be undone. */
export function UninstallDialog({ id, onClose }: { id: string; onClose(): void }) {
  const [, navigate] = useLocation();
  const uninstall = async () => {
    if ((await changePlugins("plugins.uninstall", { id })) === undefined) return;
    onClose();
    navigate("/plugins");
  };
  return (
    <Dialog class="sm" titleId="uninstall-title" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void uninstall();
        }}
      >
        <header>
          <h2 id="uninstall-title">{text.uninstallTitle(id)}</h2>
          <p>{text.uninstallHelp}</p>
        </header>
        {fault.value !== undefined && (
          <div class="in">
            <FaultNote fault={fault.value} />
          </div>
        )}
        <Buttons name={text.uninstallNow(id)} isDangerous onClose={onClose} />
      </form>
    </Dialog>
  );
}

function Buttons({
  name,
  isDangerous = false,
  onClose,
}: {
  name: string;
  isDangerous?: boolean;
  onClose(): void;
}) {
  return (
    <footer>
      {isWorking.value && <span class="start">{text.working}</span>}
      <button class="btn" type="button" onClick={onClose}>
        {text.cancel} <kbd>esc</kbd>
      </button>
      <button
        class={isDangerous ? "btn danger" : "btn primary"}
        type="submit"
        aria-disabled={isWorking.value}
      >
        {name}
      </button>
    </footer>
  );
}

import { useSignal } from "@preact/signals";
import { useLocation } from "wouter-preact";
import { Dialog } from "../../components/dialog.js";
import { FaultNote } from "../../components/fault-note.js";
import { hostStatus } from "../../state/host.js";
import { DialogButtons } from "./dialog-buttons.js";
import { text } from "./messages.js";
import { changePlugins, fault } from "./plugins.js";

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
        <DialogButtons name={text.installNow} onClose={onClose} />
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
        <DialogButtons name={text.uninstallNow(id)} isDangerous onClose={onClose} />
      </form>
    </Dialog>
  );
}

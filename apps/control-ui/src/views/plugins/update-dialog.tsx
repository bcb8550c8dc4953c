import type { PluginChange } from "@openclaw/protocol";
import { useSignal } from "@preact/signals";
import { Dialog } from "../../components/dialog.js";
import { DiffView } from "../../components/diff-view.js";
import { FaultNote } from "../../components/fault-note.js";
import { DialogButtons } from "./dialog-buttons.js";
import { text } from "./messages.js";
import { changePlugins, fault, isWorking, type PluginDetails, previewUpdate } from "./plugins.js";

type Difference = NonNullable<PluginChange["update"]>;

/** Why the lines of a file are not shown. */
const NOT_SHOWN = {
  dependency: text.notShownDependency,
  binary: text.notShownBinary,
  link: text.notShownLink,
  large: text.notShownLarge,
  limit: text.notShownLimit,
} as const;

/** Updates a plugin; its code can be read before, and more permissions need consent (UI-019, UI-780). */
export function UpdateDialog({ plugin, onClose }: { plugin: PluginDetails; onClose(): void }) {
  const { id, installedFrom, source } = plugin;
  const asked = useSignal<readonly string[] | undefined>(undefined);
  const difference = useSignal<Difference | undefined>(undefined);
  const show = ({ addedPermissions = [], update }: PluginChange) => {
    asked.value = addedPermissions.length === 0 ? undefined : addedPermissions;
    difference.value = update;
  };
  const preview = async () => {
    const seen = await previewUpdate(id);
    if (seen !== undefined) show(seen);
  };
  const update = async () => {
    const isConsent = asked.value !== undefined;
    const done = await changePlugins("plugins.update", {
      id,
      ...(isConsent ? { accept: true } : {}),
    });
    if (done === undefined) return;
    if ((done.addedPermissions ?? []).length === 0) onClose();
    else show(done);
  };
  const count = asked.value?.length;
  return (
    <Dialog
      class={difference.value === undefined ? "sm" : ""}
      titleId="update-title"
      onClose={onClose}
    >
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
            <Permissions
              added={asked.value}
              removed={difference.value?.permissions.removed ?? []}
            />
          )}
          {difference.value !== undefined && <Code difference={difference.value} />}
          {fault.value !== undefined && <FaultNote fault={fault.value} />}
        </div>
        <DialogButtons
          name={count === undefined ? text.updateNow : text.acceptAndLoad(count)}
          onClose={onClose}
        >
          {difference.value === undefined && (
            <button
              class="btn"
              type="button"
              aria-disabled={isWorking.value}
              onClick={() => void preview()}
            >
              {text.showCode}
            </button>
          )}
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function Permissions({ added, removed }: { added: readonly string[]; removed: readonly string[] }) {
  return (
    <ul class="pd">
      {added.map((permission) => (
        <li class="add" key={permission}>
          <b aria-hidden="true">+</b>
          <code>{permission}</code>
          <span class="dim">{text.added}</span>
        </li>
      ))}
      {removed.map((permission) => (
        <li class="del" key={permission}>
          <b aria-hidden="true">−</b>
          <code>{permission}</code>
          <span class="dim">{text.removed}</span>
        </li>
      ))}
    </ul>
  );
}

/** Number of program files, the lines that differ, and each file whose lines are not shown. */
function Code({ difference: { files, code } }: { difference: Difference }) {
  const { added, changed, removed } = files;
  return (
    <>
      <p class="dim t12">{text.filesOf(added.length, changed.length, removed.length)}</p>
      {code !== undefined && code.diff === "" && code.omitted.length === 0 && (
        <p class="dim t12">{text.sameCode}</p>
      )}
      {code !== undefined && code.diff !== "" && <DiffView change={code.diff} />}
      {code !== undefined && code.omitted.length > 0 && (
        <ul class="dim t12">
          {code.omitted.map(({ file, reason }) => (
            <li key={file}>
              <code>{file}</code> {NOT_SHOWN[reason]}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

import { useSignal } from "@preact/signals";
import { ActButton } from "../../components/act-button.js";
import { FormDialog } from "../../components/form-dialog.js";
import { call } from "../../state/link.js";
import { bytes, shortTime } from "../../text/format.js";
import {
  backUp,
  download,
  downloadBackup,
  type HealthPage,
  health,
  isBackingUp,
  restore,
  staged,
} from "./health.js";
import { text } from "./messages.js";

/** Backups of the database: made, saved and removed. */
export function Backups({ page: { backups: list } }: { page: HealthPage }) {
  const removed = useSignal<string | undefined>(undefined);
  const restored = useSignal<{ name: string; createdAt: number } | undefined>(undefined);
  return (
    <section>
      <h2 class="grp">
        {text.backups} {list !== undefined && <span class="n">{list.backups.length}</span>}
        {list?.command === undefined && (
          <span class="end">
            <ActButton
              scope="operator.admin"
              reason={isBackingUp.value ? text.backingUp : undefined}
              onAct={() => void backUp()}
            >
              {isBackingUp.value ? text.backingUp : text.backUp}
            </ActButton>
          </span>
        )}
      </h2>
      <LastRestore last={list?.lastRestore} />
      {list === undefined ? (
        <p class="sec dim">{text.needsAdmin}</p>
      ) : list.command !== undefined ? (
        <p class="sec">
          {text.onServer} <code>{list.command}</code>
        </p>
      ) : list.backups.length === 0 ? (
        <p class="sec dim">{text.noBackups}</p>
      ) : (
        <>
          <div class="rows backups" role="table" aria-label={text.backups}>
            <div class="row head" role="row">
              <span role="columnheader">{text.name}</span>
              <span role="columnheader" class="end">
                {text.size}
              </span>
              <span role="columnheader" class="end x">
                {text.made}
              </span>
              <span role="columnheader">
                <span class="vh">{text.actions}</span>
              </span>
            </div>
            {list.backups.map(({ name, bytes: size, createdAt, pluginDatabases }) => (
              <div class="row" role="row" key={name}>
                <span role="cell" title={name}>
                  <code>{name}</code>{" "}
                  {pluginDatabases > 0 && (
                    <span class="sub">{text.withPlugins(pluginDatabases)}</span>
                  )}
                </span>
                <span role="cell" class="end">
                  {bytes(size)}
                </span>
                <span role="cell" class="end x sub" title={new Date(createdAt).toISOString()}>
                  {shortTime(createdAt)}
                </span>
                <span role="cell" class="free end acts">
                  <ActButton
                    scope="operator.admin"
                    label={text.downloadOf(name)}
                    onAct={() => void downloadBackup(name)}
                  >
                    {download.value?.name === name
                      ? text.downloading(download.value.percent)
                      : text.download}
                  </ActButton>
                  <ActButton
                    scope="operator.admin"
                    label={text.restoreOf(name)}
                    onAct={() => {
                      restored.value = { name, createdAt };
                    }}
                  >
                    {text.restore}
                  </ActButton>
                  <ActButton
                    scope="operator.admin"
                    label={text.removeOf(name)}
                    onAct={() => {
                      removed.value = name;
                    }}
                  >
                    {text.remove}
                  </ActButton>
                </span>
              </div>
            ))}
          </div>
          <p class="sec dim t12">{text.backupFolder(list.folder)}</p>
        </>
      )}
      {restored.value !== undefined && (
        <RestoreDialog
          {...restored.value}
          onClose={() => {
            restored.value = undefined;
          }}
        />
      )}
      {removed.value !== undefined && (
        <RemoveDialog
          name={removed.value}
          onClose={() => {
            removed.value = undefined;
          }}
        />
      )}
    </section>
  );
}

/** What became of the last restore, or that one takes place now. */
function LastRestore({ last }: { last: NonNullable<HealthPage["backups"]>["lastRestore"] }) {
  if (staged.value !== undefined) {
    const { name, isRestarting } = staged.value;
    const words = isRestarting ? text.restarting(name) : text.restartToRestore;
    return (
      <p class="sec mid" role="status">
        {words}
      </p>
    );
  }
  if (last === undefined) return null;
  const { name, at, kept, problem } = last;
  if (problem !== undefined) {
    return (
      <p class="sec bad" role="status">
        {text.notRestored(name, shortTime(at))} {problem}
      </p>
    );
  }
  return (
    <p class="sec mid wrap-any" role="status">
      {text.restored(name, shortTime(at))} {kept !== undefined && text.keptAt(kept)}
    </p>
  );
}

function RestoreDialog({
  name,
  createdAt,
  onClose,
}: {
  name: string;
  createdAt: number;
  onClose(): void;
}) {
  return (
    <FormDialog
      title={text.restoreOf(name)}
      help={text.restoreHelp(shortTime(createdAt))}
      submit={text.restoreOf(name)}
      isDangerous
      onSubmit={async () => {
        await restore(name);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

function RemoveDialog({ name, onClose }: { name: string; onClose(): void }) {
  const remove = async () => {
    await health.change(() => call("backups.remove", { name }));
    onClose();
  };
  return (
    <FormDialog
      title={text.removeOf(name)}
      help={text.removeHelp}
      submit={text.removeOf(name)}
      isDangerous
      onSubmit={remove}
      onClose={onClose}
    />
  );
}

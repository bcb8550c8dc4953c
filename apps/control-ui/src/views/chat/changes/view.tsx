import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { DiffView } from "../../../components/diff-view.js";
import { refusalOf } from "../../../state/refusal.js";
import type { Conversation } from "../conversation.js";
import type { Item } from "../log/item.js";
import { text } from "../messages.js";
import { acceptedChanges, keepAccepted } from "./accepted.js";
import { changedFiles, type FileChange } from "./changed-files.js";
import { RevertButton } from "./revert-button.js";

/** What the calls of a conversation changed, by file, to accept or to revert. */
export function Changes({
  conversation,
  onClose,
}: {
  conversation: Conversation;
  onClose(): void;
}) {
  const { sessionKey } = conversation;
  const items = useSignal<readonly Item[] | undefined>(undefined);
  const accepted = useSignal<ReadonlySet<string>>(acceptedChanges(sessionKey));
  const isBusy = conversation.isBusy.value;
  useEffect(() => {
    void conversation.readAll().then((all) => {
      items.value = all;
    });
  }, [sessionKey, isBusy]);
  const accept = (keys: readonly string[]) => {
    const next = new Set([...accepted.value, ...keys]);
    accepted.value = next;
    keepAccepted(sessionKey, next);
  };
  const all = changedFiles(items.value ?? []);
  const files = all
    .map(({ path, changes }) => ({
      path,
      changes: changes.filter(({ key }) => !accepted.value.has(key)),
    }))
    .filter(({ changes }) => changes.length > 0);
  const open = files.flatMap(({ changes }) => changes.map(({ key }) => key));
  return (
    <section class="scroll changes" aria-labelledby="changes-title" tabIndex={0}>
      <header class="line">
        <h2 id="changes-title">{text.whatChanged}</h2>
        <span class="end line">
          {open.length > 0 && (
            <button class="btn small" type="button" onClick={() => accept(open)}>
              {text.acceptAll}
            </button>
          )}
          <button class="btn small" type="button" onClick={onClose}>
            {text.close}
          </button>
        </span>
      </header>
      {items.value !== undefined && files.length === 0 && (
        <p class="dim">{all.length === 0 ? text.noChanges : text.allAccepted}</p>
      )}
      {files.length > 0 && <p class="dim t12">{text.changesHint}</p>}
      {files.map(({ path, changes }) => (
        <article key={path} class="changed-file" aria-label={path}>
          <h3 class="mono">{path}</h3>
          {changes.map((change) => (
            <Change
              key={change.key}
              change={change}
              sessionKey={sessionKey}
              onDone={() => accept([change.key])}
            />
          ))}
        </article>
      ))}
    </section>
  );
}

function Change({
  change: { diff, inverse },
  sessionKey,
  onDone,
}: {
  change: FileChange;
  sessionKey: string;
  /** Called when the change needs no more attention. */
  onDone(): void;
}) {
  const reason = refusalOf("operator.write");
  return (
    <div class="changed">
      <DiffView change={diff} />
      <div class="line">
        <button class="btn small" type="button" onClick={onDone}>
          {text.accept}
        </button>
        {inverse !== undefined && (
          <RevertButton inverse={inverse} sessionKey={sessionKey} reason={reason} onDone={onDone} />
        )}
        {inverse === undefined && <span class="dim t12">{text.notRevertible}</span>}
      </div>
    </div>
  );
}

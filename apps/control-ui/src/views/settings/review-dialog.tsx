import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { Dialog } from "../../components/dialog.js";
import { DiffView } from "../../components/diff-view.js";
import { StateMark } from "../../components/state-mark.js";
import { filled } from "../../text/catalogue.js";
import { text } from "./messages.js";
import { baseHash, form, type Preview, save, step, textFile } from "./settings.js";

/** Characters of the hash that are shown. */
const HASH_SHOWN = 8;

/** Difference of the files before a change is saved, and what the gateway does with it (UI-021). */
export function ReviewDialog({ of, preview }: { of: "form" | "text"; preview: Preview }) {
  const isSaving = useSignal(false);
  const hash = of === "text" ? textFile.value?.baseHash : baseHash.value;
  const title = of === "text" ? text.saveText : text.saveChanges(form.changes.value.size);
  const close = () => {
    step.value = undefined;
  };
  const confirm = async () => {
    if (isSaving.value) return;
    isSaving.value = true;
    await save(of);
    isSaving.value = false;
  };
  return (
    <Dialog titleId="review-title" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void confirm();
        }}
      >
        <header>
          <h2 id="review-title">{title}</h2>
          <p>{preview.diff === "" ? text.noDifference : text.commentsStay}</p>
        </header>
        <div class="in">
          {preview.diff !== "" && <DiffView change={preview.diff} />}
          <Effects preview={preview} />
        </div>
        <footer>
          <span class="start">
            {hash !== undefined &&
              filled(text.basedOn, { hash: <code>{hash.slice(0, HASH_SHOWN)}</code> })}
          </span>
          <button class="btn" type="button" onClick={close}>
            {text.back} <kbd>esc</kbd>
          </button>
          <button class="btn primary" type="submit" aria-disabled={isSaving.value}>
            {text.save} <kbd>⌘↵</kbd>
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

const EFFECTS = [
  ["hot", text.atOnce],
  ["plugin", text.reloads],
  ["channel", text.reconnects],
  ["listener", text.reopens],
  ["restart", text.afterRestart],
] as const;

/** What the gateway does with each key; a restart is named only where one is needed. */
function Effects({ preview: { keys, warnings } }: { preview: Preview }) {
  return (
    <ul class="next sys">
      {EFFECTS.map(([applies, words]) => {
        const own = keys.filter((key) => key.applies === applies);
        if (own.length === 0) return null;
        const isLate = applies === "restart";
        return (
          <li key={applies}>
            <StateMark
              state={isLate ? "approval" : "done"}
              label={isLate ? text.attention : text.done}
            />
            <span>{filled(words, { keys: <Keys paths={own.map(({ path }) => path)} /> })}</span>
          </li>
        );
      })}
      {warnings.map((warning) => (
        <li key={warning}>
          <StateMark state="approval" label={text.attention} />
          <span>{warning}</span>
        </li>
      ))}
    </ul>
  );
}

/** Names of keys. */
export function Keys({ paths }: { paths: readonly (readonly string[])[] }) {
  return (
    <>
      {paths.map((path, index) => (
        <Fragment key={path.join(".")}>
          {index > 0 && ", "}
          <code>{path.join(".")}</code>
        </Fragment>
      ))}
    </>
  );
}

import { useSignal } from "@preact/signals";
import { Dialog } from "../../components/dialog.js";
import { DiffView } from "../../components/diff-view.js";
import { keyOf } from "../../components/schema-form/form-state.js";
import { StateMark } from "../../components/state-mark.js";
import { text } from "./messages.js";
import { type ConflictRow, discardAll, merge, type Step, step, takeText } from "./settings.js";

/** What two people changed, key by key; the person chooses (UI-021). */
export function ConflictDialog({
  conflict: { rows, others, next },
}: {
  conflict: Extract<Step, { kind: "conflict" }>;
}) {
  const kept = useSignal<ReadonlySet<string>>(new Set(rows.map(({ path }) => keyOf(path))));
  const choose = ({ path }: ConflictRow, isMine: boolean) => {
    const all = new Set(kept.value);
    if (isMine) all.add(keyOf(path));
    else all.delete(keyOf(path));
    kept.value = all;
  };
  return (
    <Dialog class="wide" titleId="conflict-title" onClose={close}>
      <header>
        <h2 id="conflict-title">{text.conflict}</h2>
        <p>{text.conflictHelp}</p>
      </header>
      <div class="in">
        <div class="tri">
          <div class="row head" aria-hidden="true">
            <span>{text.key}</span>
            <span>{text.whenYouBegan}</span>
            <span>{text.theirs}</span>
            <span>{text.yours}</span>
          </div>
          {rows.map((row) => (
            <Choice
              key={keyOf(row.path)}
              row={row}
              isMine={kept.value.has(keyOf(row.path))}
              onChoose={(isMine) => choose(row, isMine)}
            />
          ))}
        </div>
        {others.length > 0 && <p class="dim t12">{text.alsoChanged(others.join(", "))}</p>}
      </div>
      <footer>
        <button class="btn" type="button" onClick={() => void discardAll()}>
          {text.discardMine}
        </button>
        <button class="btn primary" type="button" onClick={() => void merge(next, kept.value)}>
          {text.reviewMerged}
        </button>
      </footer>
    </Dialog>
  );
}

function Choice({
  row: { path, before, theirs, mine },
  isMine,
  onChoose,
}: {
  row: ConflictRow;
  isMine: boolean;
  onChoose(isMine: boolean): void;
}) {
  const name = path.join(".");
  const isSame = JSON.stringify(before) === JSON.stringify(theirs);
  return (
    <div class="row" role="radiogroup" aria-label={name}>
      <code>{name}</code>
      <span class="num dim">{shown(before)}</span>
      {isSame ? (
        <span class="good">{text.same}</span>
      ) : (
        <label class="line">
          <input
            class="check"
            type="radio"
            name={name}
            checked={!isMine}
            onChange={() => onChoose(false)}
          />
          <span class="num">{shown(theirs)}</span>
        </label>
      )}
      {isSame ? (
        <span class="line">
          <StateMark state="done" label={text.done} /> <span class="num">{shown(mine)}</span>
        </span>
      ) : (
        <label class="line">
          <input
            class="check"
            type="radio"
            name={name}
            checked={isMine}
            onChange={() => onChoose(true)}
          />
          <span class="num strong">{shown(mine)}</span>
        </label>
      )}
    </div>
  );
}

/** The file as another person left it, and the text of the person. */
export function TextConflictDialog({
  conflict: { preview, hash },
}: {
  conflict: Extract<Step, { kind: "text-conflict" }>;
}) {
  return (
    <Dialog class="wide" titleId="conflict-title" onClose={close}>
      <header>
        <h2 id="conflict-title">{text.conflict}</h2>
        <p>{text.textConflictHelp}</p>
      </header>
      <div class="in">
        <DiffView change={preview.diff} />
      </div>
      <footer>
        <button class="btn" type="button" onClick={() => void discardAll()}>
          {text.discardMine}
        </button>
        <button class="btn primary" type="button" onClick={() => void takeText(hash)}>
          {text.reviewMine}
        </button>
      </footer>
    </Dialog>
  );
}

function close(): void {
  step.value = undefined;
}

function shown(value: unknown): string {
  if (value === undefined) return text.notSet;
  return typeof value === "string" ? value : JSON.stringify(value);
}

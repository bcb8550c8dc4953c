import { useSignal } from "@preact/signals";
import { text } from "./messages.js";

/** Entries of an object or a list that are shown. */
const SHOWN = 200;

/** A value of JSON as a tree whose branches open; a branch is built when it is opened the first time. */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  return (
    <ul class="json" aria-label={label}>
      {entriesOf(value).map(([name, inner]) => (
        <Entry key={name} name={name} value={inner} />
      ))}
    </ul>
  );
}

function Entry({ name, value }: { name: string; value: unknown }) {
  const isOpen = useSignal(false);
  const isBranch = typeof value === "object" && value !== null && entriesOf(value).length > 0;
  if (!isBranch) {
    return (
      <li>
        {name !== "" && <span class="dim">{name}: </span>}
        <span>{typeof value === "string" ? value : JSON.stringify(value)}</span>
      </li>
    );
  }
  return (
    <li>
      <details
        onToggle={(event) => {
          isOpen.value ||= event.currentTarget.open;
        }}
      >
        <summary>
          {name} <span class="dim">{text.entries(Object.keys(value).length)}</span>
        </summary>
        {isOpen.value && <JsonTree value={value} label={name} />}
      </details>
    </li>
  );
}

function entriesOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (typeof value !== "object" || value === null) return [["", value]];
  const entries = Object.entries(value);
  const hidden = entries.length - SHOWN;
  if (hidden <= 0) return entries;
  return [...entries.slice(0, SHOWN), ["…", text.moreEntries(hidden)]];
}

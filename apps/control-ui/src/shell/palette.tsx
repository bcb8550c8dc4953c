import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { Dialog } from "../components/dialog.js";
import { Icon } from "../components/icons.js";
import { type MarkState, StateMark } from "../components/state-mark.js";
import { waiting } from "../state/approvals.js";
import { signOut } from "../state/credential.js";
import { chooseTheme } from "../state/theme.js";
import { headlineOf } from "../views/approvals/words.js";
import { viewKeys } from "./keyboard.js";
import { text } from "./messages.js";
import { closeOverlay, openShortcuts } from "./overlays.js";
import { PLACES } from "./places.js";

/** Entry of the palette. */
interface Entry {
  readonly group: "do" | "goTo";
  readonly text: string;
  readonly note: string;
  readonly mark: MarkState;
  readonly keys: readonly string[];
  run(): void;
}

/** Most entries that are shown. */
const SHOWN = 12;

/** Command palette, `Ctrl+K`: what the view can do first, then places and open requests. */
export function Palette() {
  const [query, setQuery] = useState("");
  const [index, setIndex] = useState(0);
  const [, navigate] = useLocation();
  const found = entries(navigate)
    .filter((entry) => matches(entry.text, query))
    .slice(0, SHOWN);
  const chosen = Math.min(index, found.length - 1);
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    closeOverlay();
    // The dialog gives the focus back first.
    queueMicrotask(() => entry.run());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setIndex((chosen + step + found.length) % Math.max(1, found.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(found[chosen]);
    }
  };
  return (
    <Dialog class="palette" label={text.find} onClose={closeOverlay}>
      <div class="q">
        <Icon name="search" />
        <input
          value={query}
          aria-label={text.find}
          placeholder={text.find}
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setIndex(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>esc</kbd>
      </div>
      <div id="palette-list" role="listbox" aria-label={text.results}>
        {(["do", "goTo"] as const).map((group) => {
          const own = found.filter((entry) => entry.group === group);
          if (own.length === 0) return null;
          return (
            <div role="group" aria-label={text[group]} key={group}>
              <h3 role="presentation">{text[group]}</h3>
              {own.map((entry) => {
                const position = found.indexOf(entry);
                return (
                  <Option
                    key={entry.text}
                    entry={entry}
                    id={`palette-${position}`}
                    isChosen={position === chosen}
                    onChoose={() => run(entry)}
                  />
                );
              })}
            </div>
          );
        })}
        {found.length === 0 && <p class="opt dim">{text.nothingFound}</p>}
      </div>
      <p class="foot">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {text.move}
        </span>
        <span>
          <kbd>↵</kbd> {text.run}
        </span>
      </p>
    </Dialog>
  );
}

function Option({
  entry: { text: name, note, mark, keys },
  id,
  isChosen,
  onChoose,
}: {
  entry: Entry;
  id: string;
  isChosen: boolean;
  onChoose(): void;
}) {
  return (
    <div
      class="opt"
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={onChoose}
      onKeyDown={() => undefined}
    >
      <span class="pi" aria-hidden="true">
        <StateMark state={mark} label="" />
      </span>
      <span>{name}</span>
      <span class="dim">{note}</span>
      <span class="end">
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </div>
  );
}

function entries(navigate: (path: string) => void): readonly Entry[] {
  const act = (name: string, run: () => void, keys: readonly string[] = [], note = ""): Entry => ({
    ...{ group: "do", text: name, note, mark: "waiting", keys },
    run,
  });
  return [
    ...viewKeys.value.map(({ key, title, run }) => act(title, run, [key], text.thisView)),
    ...PLACES.map(
      ({ name, path, key }): Entry => ({
        ...{ group: "goTo", text: name, note: "", mark: "waiting", keys: ["g", key] },
        run: () => navigate(path),
      }),
    ),
    ...waiting.value.map((approval): Entry => {
      const { id, severity, agentId } = approval;
      const note = text.askedBy(severity, agentId);
      return {
        ...{ group: "goTo", text: headlineOf(approval), note, mark: "approval", keys: [] },
        run: () => navigate(`/approvals/${encodeURIComponent(id)}`),
      };
    }),
    act(text.showKeys, openShortcuts, ["?"]),
    act(text.useLight, () => chooseTheme("light")),
    act(text.useDark, () => chooseTheme("dark")),
    act(text.useSystem, () => chooseTheme("system")),
    act(text.signOut, () => signOut()),
  ];
}

/** Every word of the query begins a word of the text. */
function matches(name: string, query: string): boolean {
  const words = name.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.includes(part));
}

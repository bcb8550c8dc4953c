import type { ComponentChildren, RefObject } from "preact";
import { useSearchParams } from "wouter-preact";
import { Choice } from "../../components/choice.js";
import { hostStatus } from "../../state/host.js";
import { sessions } from "../../state/sessions.js";

/** States of the last turn of a session. */
export const STATES = [
  "running",
  "queued",
  "awaiting_approval",
  "completed",
  "failed",
  "blocked",
  "interrupted",
] as const;

/** Filters of the sessions, which the URL keeps. */
export function Filters({
  input,
  children,
}: {
  input: RefObject<HTMLInputElement | null>;
  children: ComponentChildren;
}) {
  const [search, setSearch] = useSearchParams();
  const chosenOf = (name: string) => search.get(name) ?? "";
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const { agents = [], channels = [] } = hostStatus.value ?? {};
  const seen = (sessions.value ?? []).flatMap(({ channel }) => channel ?? []);
  const choices: readonly {
    label: string;
    name: string;
    options: readonly string[];
    none?: string;
  }[] = [
    { label: "Agent", name: "agent", options: agents },
    { label: "Channel", name: "channel", options: [...new Set([...channels, ...seen])].sort() },
    { label: "State", name: "state", options: STATES },
    { label: "Show", name: "archive", options: ["archived"], none: "active" },
  ];
  return (
    <div class={children ? "filters sess chosen" : "filters sess"}>
      <div class="search">
        <input
          ref={input}
          class="input"
          placeholder="Find by text, label or key"
          aria-label="Find"
          value={chosenOf("q")}
          onInput={(event) => set("q", event.currentTarget.value)}
        />
        <kbd>/</kbd>
      </div>
      <div class="choices">
        {choices.map(({ label, name, options, none }) => (
          <Choice
            key={name}
            label={label}
            value={chosenOf(name)}
            options={options}
            none={none}
            onChoose={(value) => set(name, value)}
          />
        ))}
      </div>
      <span class="end line">{children}</span>
    </div>
  );
}

import type { ComponentChildren, RefObject } from "preact";
import { FilterBar, type FilterChoice } from "../../components/filter-bar.js";
import type { Filters } from "../../components/filters.js";
import { hostStatus } from "../../state/host.js";
import { sessions } from "../../state/sessions.js";
import { text } from "./messages.js";

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

/** Filters of the sessions. */
export function SessionFilters({
  filters,
  input,
  children,
}: {
  filters: Filters;
  input: RefObject<HTMLInputElement | null>;
  children: ComponentChildren;
}) {
  const { agents = [], channels = [] } = hostStatus.value ?? {};
  const seen = (sessions.value ?? []).flatMap(({ channel }) => channel ?? []);
  const choices: readonly FilterChoice[] = [
    { label: text.agent, name: "agent", options: agents },
    { label: text.channel, name: "channel", options: [...new Set([...channels, ...seen])].sort() },
    { label: text.state, name: "state", options: STATES, wordOf: stateWord },
    {
      ...{ label: text.show, name: "archive", options: ["archived"], none: text.active },
      wordOf: () => text.archived,
    },
  ];
  return (
    <FilterBar
      class={children ? "sess chosen" : "sess"}
      filters={filters}
      choices={choices}
      hint={text.findHint}
      input={input}
    >
      {children}
    </FilterBar>
  );
}

/**
 * Returns the word of the state of a turn.
 * @param state - state as the gateway names it
 */
export function stateWord(state: string): string {
  const known = STATES.find((each) => each === state);
  return known === undefined ? state : text[known];
}

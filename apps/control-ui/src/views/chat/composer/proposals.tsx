import { text } from "../messages.js";
import type { Proposal } from "./completion.js";

/** Proposals above the field, of which the keys choose one. */
export function Proposals({
  list,
  chosen,
  onChoose,
}: {
  list: readonly Proposal[];
  chosen: number;
  onChoose(proposal: Proposal): void;
}) {
  if (list.length === 0) return null;
  return (
    <div class="float proposals" role="listbox" id="proposals" aria-label={text.commandList}>
      {list.map((proposal, index) => (
        <div
          key={proposal.draft}
          class="opt"
          role="option"
          id={`proposal-${index}`}
          tabIndex={-1}
          aria-selected={index === chosen}
          onPointerDown={(event) => {
            // The field keeps the focus.
            event.preventDefault();
            onChoose(proposal);
          }}
        >
          <code>{proposal.name}</code> <span class="dim">{proposal.note}</span>
        </div>
      ))}
    </div>
  );
}

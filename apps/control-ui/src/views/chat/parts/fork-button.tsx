import { text } from "../messages.js";

/**
 * Continues the conversation from an entry in a new session.
 * @param through - position of the last entry that is taken over
 * @param draft - text for the first message of the new session
 */
export type ForkAction = (through: number, draft?: string) => void;

/** Button of an entry from which the conversation can be continued in a new session. */
export function ForkButton({ onClick }: { onClick(): void }) {
  return (
    <button class="btn quiet small fork" type="button" title={text.forkHint} onClick={onClick}>
      {text.fork}
    </button>
  );
}

import type { ApprovalSummary } from "@openclaw/protocol";
import { text } from "./messages.js";

type Word = NonNullable<ApprovalSummary["argv"]>[number][number];

/** Commands of a request, one by one, as they would run; word by word where the words are known. */
export function CommandList({
  approval: { commands = [], argv = [] },
}: {
  approval: Pick<ApprovalSummary, "commands" | "argv">;
}) {
  if (commands.length === 0) return null;
  return (
    <ol class="argv">
      {commands.map((command, index) => (
        <li key={`${index} ${command}`}>
          <span class="n">{index + 1}</span>
          <Command command={command} words={argv[index]} />
        </li>
      ))}
    </ol>
  );
}

function Command({ command, words }: { command: string; words: readonly Word[] | undefined }) {
  if (words === undefined) return <code class="cmd">{command}</code>;
  return (
    <code class="words">
      {words.flatMap((word, index) => [
        // A command that is copied, or read aloud, has its spaces.
        index === 0 ? "" : " ",
        <span key={index} class={CLASSES[word.kind]} title={TITLES[word.kind]}>
          {word.text === "" ? "\u201c\u201d" : word.text}
        </span>,
      ])}
    </code>
  );
}

const CLASSES: Readonly<Partial<Record<Word["kind"], string>>> = {
  program: "prog",
  wrapper: "wrap",
  computed: "late",
};

const TITLES: Readonly<Partial<Record<Word["kind"], string>>> = {
  wrapper: text.wrapper,
  computed: text.computed,
};

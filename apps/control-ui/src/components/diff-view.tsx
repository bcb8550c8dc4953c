import { type DiffFile, type DiffLine, readDiff } from "./diff-lines.js";
import { text } from "./messages.js";

/** Number of lines from which a file is folded at first. */
const FOLDED = 200;

const SIGNS = { add: "+", del: "−", same: "", hunk: "" } as const;

/** Difference of files, line by line, with the changed words marked. */
export function DiffView({ change }: { change: string }) {
  return (
    <>
      {readDiff(change).map((file) => (
        <FileDiff key={file.path} file={file} />
      ))}
    </>
  );
}

/** Numbers of files, added and removed lines of a difference. */
export function DiffCounts({ change }: { change: string }) {
  const files = readDiff(change);
  const sum = (of: (file: DiffFile) => number) =>
    files.reduce((total, file) => total + of(file), 0);
  return (
    <>
      {text.files(files.length)}, <span class="good">+{sum(({ added }) => added)}</span>{" "}
      <span class="bad">−{sum(({ removed }) => removed)}</span>
    </>
  );
}

function FileDiff({ file: { path, added, removed, lines } }: { file: DiffFile }) {
  return (
    <details class="diff" open={lines.length < FOLDED}>
      <summary class="file">
        <span>{path === "" ? text.change : path}</span>
        <span class="end">
          <span class="good">+{added}</span> <span class="bad">−{removed}</span>
        </span>
      </summary>
      <div class="body" tabIndex={0} role="region" aria-label={text.differenceOf(path)}>
        {lines.map((line, index) => (
          // A difference does not change, so the position identifies its lines.
          <Line key={index} line={line} />
        ))}
      </div>
    </details>
  );
}

function Line({ line: { kind, before, after, parts } }: { line: DiffLine }) {
  return (
    <div class={`l ${kind === "same" ? "" : kind}`}>
      <i>{before}</i>
      <i>{after}</i>
      <b>{SIGNS[kind]}</b>
      <span>
        {parts.map(({ text: words, isChanged }) =>
          isChanged ? <mark key={words}>{words}</mark> : words,
        )}
      </span>
    </div>
  );
}

import { firstLine, shortTime } from "../../../text/format.js";
import type { MessageItem, NoteItem } from "../log/item.js";
import { text } from "../messages.js";
import { type ForkAction, ForkButton } from "./fork-button.js";
import { StoredImage } from "./stored-image.js";

/** Before the head of a text file in a message. */
const FILE = /\n\n(?=\[File "[^\n]*"\]\n)/;

/** Message of a person, as it was written. */
export function Message({
  item: { text: words, isForeign, at, seq, images = [] },
  onFork,
}: {
  item: MessageItem;
  onFork?: ForkAction | undefined;
}) {
  // A text file is a part of the message, which the model reads.
  const [said, ...files] = words.split(FILE);
  return (
    <article class="msg user">
      <header>
        <b>{text.you}</b>
        {isForeign && <span class="dim">{text.elsewhere}</span>}
        {at !== undefined && <time title={new Date(at).toISOString()}>{shortTime(at)}</time>}
        {seq !== undefined && onFork !== undefined && (
          <ForkButton onClick={() => onFork(seq - 1, words)} />
        )}
      </header>
      <p class="said">{said}</p>
      {images.map((id) => (
        <StoredImage key={id.image} id={id} label={text.attachedImage(id.image)} />
      ))}
      {files.map((file, index) => (
        <details key={index} class="tool">
          <summary>{firstLine(file)}</summary>
          <pre class="code wrap">{file.slice(file.indexOf("\n") + 1)}</pre>
        </details>
      ))}
    </article>
  );
}

/** Message that waits for its turn. */
export function WaitingMessage({
  words,
  state,
  isUploading = false,
}: {
  words: string;
  state: string;
  isUploading?: boolean;
}) {
  return (
    <article class="msg user pending">
      <header>
        <b>{text.you}</b>
        <span class="dim">{state}</span>
        {/* The browser does not tell how much of a message it has sent. */}
        {isUploading && <progress aria-label={state} />}
      </header>
      <p class="said">{words}</p>
    </article>
  );
}

/** Line about the conversation. */
export function Note({ item: { text: line, isError } }: { item: NoteItem }) {
  return (
    <p class={isError ? "note t12" : "dim t12 line-note"} data-s={isError ? "failed" : undefined}>
      {line}
    </p>
  );
}

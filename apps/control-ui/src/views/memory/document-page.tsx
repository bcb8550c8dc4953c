import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { ActButton } from "../../components/act-button.js";
import { Facts } from "../../components/facts.js";
import { FaultNote } from "../../components/fault-note.js";
import type { Filters } from "../../components/filters.js";
import { Icon } from "../../components/icons.js";
import { call } from "../../state/link.js";
import { bytes, shortTime } from "../../text/format.js";
import { Markdown } from "../chat/parts/markdown.js";
import { ConnectDialog } from "./dialogs.js";
import { documentPath, pathOfTree } from "./documents.js";
import {
  agent,
  document,
  drafts,
  type MemoryConnection,
  type MemoryDocument,
  ofAgent,
  path,
  tree,
} from "./memory.js";
import { text } from "./messages.js";

/** One document: its text to read and edit, its dates, and its connections. */
export function DocumentPage({ own, filters }: { own: string; filters: Filters }) {
  useEffect(() => {
    path.value = own;
    return document.show();
  }, [own, agent.value]);
  const read = document.value.value?.wanted === own ? document.value.value : undefined;
  return (
    <>
      {document.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={document.fault.value} />
        </div>
      )}
      {read === undefined ? (
        document.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : (
        <>
          <Content document={read.document} filters={filters} />
          <div class="mside" tabIndex={0} role="region" aria-label={text.about}>
            <About document={read.document} />
            <Connected own={own} connections={read.connections} filters={filters} />
          </div>
        </>
      )}
    </>
  );
}

function Content({ document: read, filters }: { document: MemoryDocument; filters: Filters }) {
  const place = `${agent.value} ${read.path}`;
  const draft = useSignal(drafts.get(place));
  const type = (value: string | undefined) => {
    draft.value = value;
    if (value === undefined) drafts.delete(place);
    else drafts.set(place, value);
  };
  const save = async () => {
    const content = draft.peek();
    if (content === undefined) return;
    const saved = await document.change(() =>
      call("memory.write", { target: read.path, content, append: false, ...ofAgent() }),
    );
    if (saved === undefined) return;
    type(undefined);
    tree.refresh();
  };
  return (
    <section class="mdoc" aria-label={read.path}>
      <header class="line mhead">
        <Link
          class="btn quiet icon only-narrow back"
          href={pathOfTree(filters)}
          aria-label={text.back}
        >
          <Icon name="back" />
        </Link>
        <h2 class="mono t12 clip" title={read.path}>
          {read.path}
        </h2>
        <span class="end line">
          {draft.value === undefined ? (
            !read.isFollowed && (
              <ActButton scope="operator.write" onAct={() => type(read.content)}>
                {text.edit}
              </ActButton>
            )
          ) : (
            <>
              <span class="dim t12">{text.unsaved}</span>
              <button class="btn small" type="button" onClick={() => type(undefined)}>
                {text.discard}
              </button>
              <ActButton scope="operator.write" onAct={() => void save()}>
                {text.save}
              </ActButton>
            </>
          )}
        </span>
      </header>
      {read.isFollowed && <p class="note t12">{text.followed}</p>}
      {draft.value === undefined ? (
        <div class="mtext" tabIndex={0} role="region" aria-label={text.content}>
          <Markdown text={read.content} />
        </div>
      ) : (
        <textarea
          class="textarea mono t12"
          aria-label={text.content}
          value={draft.value}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
      )}
    </section>
  );
}

function About({ document: read }: { document: MemoryDocument }) {
  const timeOf = (at: string | undefined) =>
    at === undefined ? undefined : <span title={at}>{shortTime(Date.parse(at))}</span>;
  return (
    <section class="sec">
      <h2 class="h">{text.about}</h2>
      <Facts
        facts={[
          [text.written, timeOf(read.createdAt)],
          [text.changed, timeOf(read.updatedAt)],
          [text.read, read.accessCount === undefined ? undefined : text.times(read.accessCount)],
          [text.importance, read.importance?.toString()],
          [text.size, bytes(new TextEncoder().encode(read.content).length)],
          [text.source, read.sourceUrl],
          [text.tags, read.tags?.join(", ")],
        ]}
      />
    </section>
  );
}

function Connected({
  own,
  connections,
  filters,
}: {
  own: string;
  connections: readonly MemoryConnection[];
  filters: Filters;
}) {
  const isConnecting = useSignal(false);
  return (
    <section class="sec">
      <h2 class="h">{text.connections}</h2>
      {connections.length === 0 && <p class="dim">{text.noConnections}</p>}
      <ul class="mlinks">
        {connections.map(({ id, sourcePath, targetPath, type }) => {
          const isSource = sourcePath === own;
          const other = isSource ? targetPath : sourcePath;
          return (
            <li key={id}>
              <Link href={documentPath(other, filters)}>
                {isSource ? text.to(type, other) : text.from(other, type)}
              </Link>
              <ActButton
                scope="operator.write"
                isQuiet
                label={text.disconnect(other)}
                onAct={() =>
                  void document.change(() =>
                    call("memory.disconnect", { connectionId: id, ...ofAgent() }),
                  )
                }
              >
                {text.remove}
              </ActButton>
            </li>
          );
        })}
      </ul>
      <ActButton scope="operator.write" onAct={() => (isConnecting.value = true)}>
        {text.connect}
      </ActButton>
      {isConnecting.value && (
        <ConnectDialog own={own} onClose={() => (isConnecting.value = false)} />
      )}
    </section>
  );
}

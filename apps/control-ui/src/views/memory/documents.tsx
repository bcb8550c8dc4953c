import { Link } from "wouter-preact";
import type { Filters } from "../../components/filters.js";
import { bytes, shortTime } from "../../text/format.js";
import { DocumentPage } from "./document-page.js";
import { type MemoryEntry, tree } from "./memory.js";
import { text } from "./messages.js";

/** Tree of the documents, and the chosen one next to it. */
export function Documents({ filters }: { filters: Filters }) {
  const entries = tree.value.value ?? [];
  const path = filters.chosen("path");
  if (entries.length === 0 && path === "") {
    return (
      <div class="empty">
        <h2>{text.noDocuments}</h2>
        <p>{text.noDocumentsHelp}</p>
      </div>
    );
  }
  return (
    <div class={path === "" ? "mem" : "mem open"}>
      <nav class="mtree" aria-label={text.documents} tabIndex={0}>
        <Branch entries={entries} filters={filters} level={0} />
      </nav>
      {path === "" ? (
        <div class="empty x">
          <h2>{text.chooseDocument}</h2>
          <p>{text.chooseDocumentHelp}</p>
        </div>
      ) : (
        <DocumentPage key={path} own={path} filters={filters} />
      )}
    </div>
  );
}

function Branch({
  entries,
  filters,
  level,
}: {
  entries: readonly MemoryEntry[];
  filters: Filters;
  level: number;
}) {
  const path = filters.chosen("path");
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.path}>
          {entry.isFolder ? (
            <details open={level === 0 || path.startsWith(`${entry.path}/`)}>
              <summary>
                <b class="clip">{entry.name}</b>
                <span class="dim t12">{text.inside(entry.documents)}</span>
              </summary>
              <Branch entries={entry.children} filters={filters} level={level + 1} />
            </details>
          ) : (
            <Link
              href={documentPath(entry.path, filters)}
              aria-current={entry.path === path ? "page" : undefined}
              title={`${entry.path}, ${bytes(entry.bytes)}`}
            >
              <span class="clip">{entry.name}</span>
              <span class="dim t12">{shortTime(Date.parse(entry.updatedAt))}</span>
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

/**
 * Returns the path of the page with a document, in the memory that is shown.
 * @param path - path of the document
 * @param filters - filters of the view
 */
export function documentPath(path: string, { chosen }: Filters): string {
  const query = new URLSearchParams({ path });
  if (chosen("agent") !== "") query.set("agent", chosen("agent"));
  return `/memory?${query}`;
}

/**
 * Returns the path of the tree without a document, in the memory that is shown.
 * @param filters - filters of the view
 */
export function pathOfTree({ chosen }: Filters): string {
  const agent = chosen("agent");
  return agent === "" ? "/memory" : `/memory?${new URLSearchParams({ agent })}`;
}

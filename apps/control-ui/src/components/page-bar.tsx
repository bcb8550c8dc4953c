import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { text } from "./messages.js";

/** Tab of a view. */
export interface Tab {
  readonly name: string;
  readonly path: string;
  readonly count?: number | undefined;
  readonly isCurrent: boolean;
}

/** Head of a view: its name, its tabs, and what belongs to the whole view. */
export function PageBar({
  title,
  tabs = [],
  children,
}: {
  title: string;
  tabs?: readonly Tab[];
  children?: ComponentChildren;
}) {
  return (
    <header class="bar">
      <h1>
        <span class="clip">{title}</span>
      </h1>
      {tabs.length > 0 && (
        <nav class="tabs" aria-label={text.views}>
          {tabs.map(({ name, path, count, isCurrent }) => (
            <Link key={path} href={path} aria-current={isCurrent ? "page" : undefined}>
              {name} {count !== undefined && count > 0 && <span class="n">{count}</span>}
            </Link>
          ))}
        </nav>
      )}
      {children !== undefined && <div class="end">{children}</div>}
    </header>
  );
}

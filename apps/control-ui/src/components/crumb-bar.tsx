import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { Icon } from "./icons.js";

/** Head of a page below a view: the way back to the view, the name of the page, and what belongs to it. */
export function CrumbBar({
  view,
  path,
  back = view,
  title,
  isId = false,
  children,
}: {
  /** Name of the view. */
  view: string;
  /** Path of the view. */
  path: string;
  /** Name of the view for the button that a narrow screen has. */
  back?: string;
  title: string;
  /** True for a title that is an ID. */
  isId?: boolean;
  children?: ComponentChildren;
}) {
  return (
    <header class="bar">
      <Link class="btn quiet icon only-narrow back" href={path} aria-label={back}>
        <Icon name="back" />
      </Link>
      <h1>
        <Link class="crumb" href={path}>
          {view}
        </Link>
        <span class={isId ? "clip mono" : "clip"}>{title}</span>
      </h1>
      {children}
    </header>
  );
}

import DOMPurify from "dompurify";
import { Marked, type Token } from "marked";
import { memo } from "preact/compat";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { text as words } from "../messages.js";

/** Protocols of links that a reply may have. */
const LINK = /^(?:https?:\/\/|mailto:)/i;

/** Markup that a reply may have; everything else is shown as text or left out. */
const ALLOWED = {
  ALLOWED_TAGS: [
    ..."p br hr strong em del code pre blockquote ul ol li a input".split(" "),
    ..."h1 h2 h3 h4 h5 h6 table thead tbody tr th td".split(" "),
  ],
  ALLOWED_ATTR: ["href", "rel", "target", "align", "start", "type", "checked", "disabled", "class"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

const marked = new Marked({
  gfm: true,
  // Models write lines where they mean lines.
  breaks: true,
  renderer: {
    // Markup of a model is text, so that a person reads what it wrote.
    html: ({ text }) => escaped(text),
    image: ({ href, text }) => linkOf(href, escaped(text === "" ? href : text)),
    link({ href, tokens }) {
      return linkOf(href, this.parser.parseInline(tokens));
    },
  },
});

/**
 * Markdown of a reply. While it streams, only its last block is made again. Its markup is built by `marked` from tokens,
 * then cleaned by DOMPurify, whose result is placed as nodes (UI-036).
 */
export function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => marked.lexer(text).filter(({ type }) => type !== "space"), [text]);
  return (
    <div class="prose">
      {blocks.map((token, index) => (
        // Blocks are only added, so the position identifies them.
        <Block key={index} raw={token.raw} token={token} />
      ))}
    </div>
  );
}

const Block = memo(
  function Block({ token }: { raw: string; token: Token }) {
    const element = useRef<HTMLDivElement>(null);
    useLayoutEffect(() => {
      const clean = DOMPurify.sanitize(marked.parser([token]), ALLOWED);
      for (const table of clean.querySelectorAll("pre, table")) {
        // What scrolls sideways can be scrolled with the keyboard.
        table.setAttribute("tabindex", "0");
      }
      for (const code of clean.querySelectorAll("pre")) {
        const box = document.createElement("div");
        box.className = "copied";
        code.replaceWith(box);
        box.append(code, copyButton(code));
      }
      element.current?.replaceChildren(clean);
    });
    return <div ref={element} />;
  },
  (before, after) => before.raw === after.raw,
);

/** Button that copies code; where the browser has no clipboard for the page, it selects the code. */
function copyButton(code: Element): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn small copy";
  button.textContent = words.copy;
  const select = () => getSelection()?.selectAllChildren(code);
  button.addEventListener("click", () => {
    // A page over plain HTTP has none, which its type does not say.
    if (!isSecureContext) return select();
    const copied = () => {
      button.textContent = words.copied;
    };
    navigator.clipboard.writeText(code.textContent).then(copied, select);
  });
  return button;
}

function linkOf(href: string, inner: string): string {
  if (!LINK.test(href)) return inner;
  return `<a href="${escaped(href)}" rel="noopener noreferrer" target="_blank">${inner}</a>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
